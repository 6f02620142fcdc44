import pytest
from browser.test_proof_pictures import *  # noqa
from browser import test_proof_pictures as t
for _n in list(globals()):
    if _n.startswith("test_"):
        del globals()[_n]

@pytest.mark.parametrize("n", range(60))
def test_repeat(agent, n):
    t.test_a_cell_that_a_wide_table_hides_is_in_no_picture_until_it_is_scrolled_to(agent, [9,60][n%2])
