"""What one conversation for a whole run would have sent, beside what was sent."""

from hypothesis import given
from hypothesis import strategies as st

from muster_protocol.journal import ModelReplied
from muster_views.journal_moments import TimedEntry
from muster_views.question_sizes import QuestionSizes, describe_flat, measure_questions


def journals(*sub_tasks: tuple[int, ...], answer: int = 10) -> dict[str, tuple[TimedEntry, ...]]:
    return {
        f"run.step-{number}.1": tuple(
            TimedEntry(0.0, ModelReplied(index=index, reply="{}", input_tokens=size, output_tokens=answer))
            for index, size in enumerate(sizes)
        )
        for number, sizes in enumerate(sub_tasks, 1)
    }


def test_a_sub_task_adds_to_the_conversation_what_it_has_beyond_the_smallest_question():
    # 100 + 150; the second sub-task begins with 50 + 10 more, the third with another 20 + 10
    assert measure_questions(journals((100, 150), (120,), (100,))) == QuestionSizes(
        largest=150, sent=470, flat=250 + 180 + 190
    )


def test_one_sub_task_is_one_conversation():
    assert measure_questions(journals((100, 150, 170))) == QuestionSizes(170, 420, 420)


def test_no_question_is_compared_with_nothing():
    assert measure_questions({}) == QuestionSizes(0, 0, 0)
    assert describe_flat(measure_questions(journals((0,)))) == ""


def test_the_comparison_names_both():
    told = describe_flat(QuestionSizes(largest=1_000, sent=4_000, flat=14_000))
    assert told == "about 14,000 tokens in, 3.5 times as many as were sent"


@given(st.lists(st.lists(st.integers(1, 10_000), min_size=1).map(tuple), min_size=1))
def test_one_conversation_never_sends_less(sub_tasks: list[tuple[int, ...]]):
    sizes = measure_questions(journals(*sub_tasks))
    assert sizes.flat >= sizes.sent >= sizes.largest
