"""At run time `dory_tui.values` is dory's own; everything that it has must answer as the standard library's does."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from types import ModuleType
from typing import Any

import pytest

from dory_tui import values

BOTH = pytest.mark.parametrize("module", [values, dataclasses], ids=["values", "dataclasses"])


def point(module: ModuleType, *, frozen: bool = True) -> Any:
    """The same class, made by either module."""

    class Point:
        x: int
        y: int = 2
        tags: list[str] = module.field(default_factory=list)

        @property
        def sum(self) -> int:
            return self.x + self.y

        @cached_property
        def both(self) -> str:
            return f"{self.x},{self.y}"

    return module.dataclass(frozen=frozen)(Point)


def test_at_run_time_it_is_not_the_standard_librarys() -> None:
    assert values.dataclass is not dataclasses.dataclass


@BOTH
@pytest.mark.parametrize(
    ("args", "given", "expected"),
    [
        ((1,), {}, (1, 2, [])),
        ((1, 5), {}, (1, 5, [])),
        ((1, 5, ["a"]), {}, (1, 5, ["a"])),
        ((), {"x": 1}, (1, 2, [])),
        ((1,), {"tags": ["a"]}, (1, 2, ["a"])),
        ((), {"tags": [], "y": 4, "x": 3}, (3, 4, [])),
    ],
)
def test_fields_by_place_and_by_name(
    module: ModuleType, args: tuple[Any, ...], given: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    made = point(module)(*args, **given)
    assert (made.x, made.y, made.tags) == expected
    assert (made.sum, made.both) == (expected[0] + expected[1], f"{expected[0]},{expected[1]}")


@BOTH
@pytest.mark.parametrize(
    ("args", "given"),
    [((), {}), ((), {"y": 1}), ((1, 2, [], 4), {}), ((1,), {"x": 1}), ((1,), {"z": 1}), ((1, 2, []), {"y": 1})],
    ids=["nothing", "one missing", "one too many", "twice", "unknown", "all by place and one again"],
)
def test_wrong_arguments_are_a_type_error(module: ModuleType, args: tuple[Any, ...], given: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        point(module)(*args, **given)


@BOTH
def test_each_value_has_a_list_of_its_own(module: ModuleType) -> None:
    made = point(module)
    first, second = made(1), made(1)
    first.tags.append("a")
    assert second.tags == []


@BOTH
def test_a_frozen_value_cannot_be_changed(module: ModuleType) -> None:
    made = point(module)(1)
    with pytest.raises(module.FrozenInstanceError):
        made.x = 3
    with pytest.raises(module.FrozenInstanceError):
        del made.y
    with pytest.raises(AttributeError):
        made.other = 3
    assert (made.x, made.y) == (1, 2)


@BOTH
def test_one_that_is_not_frozen_can_and_has_no_hash(module: ModuleType) -> None:
    made = point(module, frozen=False)(1)
    made.x = 3
    assert made.x == 3
    with pytest.raises(TypeError):
        hash(made)


@BOTH
def test_equality_hash_and_repr(module: ModuleType) -> None:
    @module.dataclass(frozen=True, slots=True)
    class One:
        x: int
        y: str = "a"

    @module.dataclass(frozen=True)
    class Other:
        x: int
        y: str = "a"

    one: Any = One
    other: Any = Other
    assert one(1) == one(1)
    assert one(1) != one(2)
    assert one(1) != one(1, "b")
    assert one(1) != other(1)
    assert one(1) != (1, "a")
    assert hash(one(1)) == hash(one(1, "a"))
    assert len({one(1), one(1), one(2)}) == 2
    assert repr(one(1)).endswith("One(x=1, y='a')")


@BOTH
def test_replace_changes_a_copy(module: ModuleType) -> None:
    made = point(module)(1, 5, ["a"])
    changed = module.replace(made, y=6)
    assert (changed.x, changed.y, changed.tags) == (1, 6, ["a"])
    assert made.y == 5
    assert type(changed) is type(made)
    with pytest.raises(TypeError):
        module.replace(made, z=1)


@BOTH
def test_fields_match_by_place(module: ModuleType) -> None:
    made = point(module)
    match made(1, 5):
        case made(x, y, tags):
            assert (x, y, tags) == (1, 5, [])
        case _:
            pytest.fail("it did not match")


@BOTH
def test_what_a_class_says_itself_stays(module: ModuleType) -> None:
    class Own:
        x: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "mine"

    made = module.dataclass(Own)
    assert made(1) == made(2)
    assert repr(made(1)) == "mine"


@BOTH
def test_a_class_without_fields(module: ModuleType) -> None:
    class Nothing:
        pass

    made = module.dataclass(frozen=True)(Nothing)
    assert made() == made()
    with pytest.raises(TypeError):
        made(1)
