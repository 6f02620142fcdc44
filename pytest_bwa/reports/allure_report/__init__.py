"""The report that Allure's command line builds of runs."""
