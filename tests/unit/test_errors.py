"""Every error has one line and an exit code."""

from __future__ import annotations

import pytest

from replicate import errors
from replicate.errors import ExitCode, InputError, MissingComponentError, OutputError, ReplicateError


def test_the_exit_codes_are_those_documented() -> None:
    assert {code.name: int(code) for code in ExitCode} == {
        "DONE": 0,
        "BUG": 1,
        "BAD_INPUT": 2,
        "NEEDS_A_PERSON": 3,
        "MISSING_COMPONENT": 4,
        "CANNOT_WRITE": 5,
        "INTERRUPTED": 130,
    }


@pytest.mark.parametrize(
    ("kind", "code"), [(ReplicateError, 1), (InputError, 2), (MissingComponentError, 4), (OutputError, 5)]
)
def test_each_class_has_its_code(kind: type[ReplicateError], code: int) -> None:
    assert kind("it went wrong").exit_code == code


def test_every_class_of_the_module_is_a_replicate_error() -> None:
    kinds = [v for v in vars(errors).values() if isinstance(v, type) and issubclass(v, Exception)]
    assert len(kinds) >= 4
    assert all(issubclass(kind, ReplicateError) for kind in kinds)


def test_the_message_and_the_remedy_make_one_line() -> None:
    assert str(InputError("a.png is empty", "give a picture")) == "a.png is empty; give a picture"
    assert str(InputError("a.png is empty")) == "a.png is empty"
    assert str(InputError("two\nlines  here", "fix\nit")) == "two lines here; fix it"


def test_message_and_remedy_are_kept_apart() -> None:
    error = OutputError("cannot write", "use --out")
    assert (error.message, error.remedy) == ("cannot write", "use --out")
