"""The general workflow: runs any task spec over any samples list.

pytest workflows/ --task spec.json --samples input.csv -n 8
"""


def test_sample(browser_agent, sample):
    browser_agent.run(sample).assert_done()
