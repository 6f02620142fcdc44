"""The reviewer's page and its server."""
