"""Frozen value classes for the path of `dory-agent check`, which may cost at most five bare Python starts.

The standard library's `dataclasses` alone costs more than one of them, since it imports `inspect` and generates
source. To a type checker this module *is* `dataclasses`; at run time it is the part of it that value classes need:
fields with defaults, frozen or not, equality, a hash, a repr and `replace`. `slots` is accepted and ignored.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's constant, without importing typing

if TYPE_CHECKING:
    from dataclasses import FrozenInstanceError, dataclass, field, replace
else:

    class FrozenInstanceError(AttributeError):
        """A field of a frozen value was set."""

    class _Factory:
        def __init__(self, make):
            self.make = make

    def field(*, default_factory):
        return _Factory(default_factory)

    def replace(value, /, **changes):
        kept = {name: getattr(value, name) for name in value.__match_args__}
        return type(value)(**{**kept, **changes})

    def dataclass(cls=None, /, *, frozen=False, slots=False):
        if cls is None:
            return lambda made: _made(made, frozen)
        return _made(cls, frozen)

    def _made(cls, frozen):
        names = tuple(cls.__dict__.get("__annotations__", ()))
        defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
        factories = {name: made.make for name, made in defaults.items() if isinstance(made, _Factory)}
        for name in factories:
            del defaults[name]
            delattr(cls, name)
        required = len(names) - len(defaults) - len(factories)

        def __init__(self, *args, **given):
            if len(args) == len(names) and not given:
                self.__dict__.update(zip(names, args))  # noqa: B905 - the lengths are equal here
                return
            values = {**defaults, **dict(zip(names, args)), **given}  # noqa: B905 - the rest is by name
            if len(args) > len(names) or values.keys() - set(names) or given.keys() & set(names[: len(args)]):
                raise TypeError(f"{cls.__name__}: unexpected or repeated arguments")
            if len(values) < len(names):
                for name in names:
                    if name not in values:
                        if name not in factories:
                            raise TypeError(f"{cls.__name__}: {name} is missing (of {required} required)")
                        values[name] = factories[name]()
            self.__dict__.update(values)

        def __eq__(self, other):
            if type(other) is not cls:
                return NotImplemented
            return all(getattr(self, name) == getattr(other, name) for name in names)

        def __hash__(self):
            return hash((cls, *(getattr(self, name) for name in names)))

        def __repr__(self):
            return f"{cls.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

        cls.__match_args__ = names
        for made in (__init__, __eq__, __repr__):
            if made.__name__ not in cls.__dict__:
                made.__qualname__ = f"{cls.__name__}.{made.__name__}"
                setattr(cls, made.__name__, made)
        if frozen:

            def refuse(self, name, *_):
                raise FrozenInstanceError(f"{cls.__name__}.{name} is frozen")

            cls.__setattr__ = cls.__delattr__ = refuse
            cls.__hash__ = __hash__
        else:
            cls.__hash__ = None
        return cls


__all__ = ["FrozenInstanceError", "dataclass", "field", "replace"]
