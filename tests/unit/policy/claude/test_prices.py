import pytest

from pytest_bwa.policy.claude.cost import cost, undated


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("claude-fable-5-1", 60.0),
        ("claude-opus-5-5", 24.0),
        ("claude-sonnet-5-5", 12.0),
        ("claude-haiku-5-5", 0.60),
        ("claude-sonnet-5-5-20261001", 12.0),
    ],
)
def test_the_price_of_a_million_tokens_in_and_out(model: str, dollars: float) -> None:
    total = cost(model, input_tokens=1_000_000, output_tokens=1_000_000)
    assert total == pytest.approx(dollars)


def test_cache_writes_cost_a_quarter_more_and_reads_a_tenth() -> None:
    write = cost("claude-opus-5-5", input_tokens=0, output_tokens=0, cache_write=1_000_000)
    read = cost("claude-opus-5-5", input_tokens=0, output_tokens=0, cache_read=1_000_000)
    assert (write, read) == (pytest.approx(5.0), pytest.approx(0.4))


@pytest.mark.parametrize(
    "model", ["qwen2.5:7b", "claude-sonnet-4-6", "claude-sonnet-5-5-preview", "", "claude"]
)
def test_an_unknown_price_is_none_and_not_zero(model: str) -> None:
    assert cost(model, input_tokens=10, output_tokens=10) is None
    assert cost(model, input_tokens=0, output_tokens=0) is None


def test_only_a_date_is_removed_from_a_name() -> None:
    assert undated("claude-haiku-4-5-20251001") == "claude-haiku-4-5"
    assert undated("claude-opus-5-5") == "claude-opus-5-5"
