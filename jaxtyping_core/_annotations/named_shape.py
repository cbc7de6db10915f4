"""`NamedShape`: a shape whose dims have names."""

import operator
from collections.abc import Iterable, Mapping
from typing import Any, Self, SupportsIndex, overload


class NamedShape(tuple[int, ...]):
    """A shape with named dims. You can use it wherever a shape is accepted.

        >>> shape = NamedShape(batch=8, width=32)
        >>> shape.batch, shape["width"], shape[0], shape.names
        (8, 32, 8, ('batch', 'width'))

    Like `dict`, it takes a mapping, pairs of names and sizes, or keyword arguments. It equals a plain tuple
    of its sizes. It equals another named shape only if the names are equal too. So `jax.jit` does not use
    what it compiled for one static shape for another. Slices and sums are plain tuples.

    Raises:
        TypeError: a size is not an integer (has no `__index__`), a name is not a string, or a size has no name.
        ValueError: a size is negative, or a name is invalid. A name is invalid if it appears twice, is not an
            identifier, starts with an underscore, or is an attribute of tuples.
    """

    # typeguard checks the class of a tuple where the class has annotations, and reads them as they are;
    # so there is one, and this file evaluates its annotations.
    _names: tuple[str, ...]

    def __new__(
        cls,
        dims: Mapping[str, SupportsIndex] | Iterable[tuple[str, SupportsIndex]] = (),
        /,
        **named: SupportsIndex,
    ) -> Self:
        try:
            pairs = [*(dims.items() if isinstance(dims, Mapping) else dims), *named.items()]
            names = tuple(name for name, _ in pairs)
        except (TypeError, ValueError):
            raise TypeError(
                f"NamedShape takes names with sizes, got {dims!r}. Write NamedShape(batch=8, width=32)."
            ) from None
        for place, name in enumerate(names):
            _check_name(name, names[:place])
        self = super().__new__(cls, [_size(name, size) for name, size in pairs])
        self.__dict__["_names"] = names
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the dims, in order."""
        return self._names

    def _asdict(self) -> dict[str, int]:
        """The sizes by the names of the dims, in order (as on a `NamedTuple`)."""
        return dict(zip(self._names, self, strict=True))

    def _replace(self, **sizes: SupportsIndex) -> Self:
        """A copy of this shape with other `sizes` (as on a `NamedTuple`).

        Raises:
            KeyError: no dim has that name.
        """
        for name in sizes:
            self._place(name)
        return type(self)(self._asdict() | sizes)

    def _place(self, name: str) -> int:
        if name not in self._names:
            raise KeyError(f"{self!r} has no dim {name!r}. Its dims are {', '.join(self._names) or 'none'}.")
        return self._names.index(name)

    @overload
    def __getitem__(self, key: str | SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[int, ...]: ...
    def __getitem__(self, key: str | SupportsIndex | slice, /) -> int | tuple[int, ...]:
        return super().__getitem__(self._place(key) if isinstance(key, str) else key)

    def __getattr__(self, name: str) -> int:
        # Only names that are not found otherwise come here; `_names` is missing while a copy is made.
        if name.startswith("_") or name not in self._names:
            raise AttributeError(
                f"{type(self).__name__} has no dim or attribute {name!r}.", name=name, obj=self
            )
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed. Use shape._replace({name}=...).")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed, so {name!r} cannot be deleted.")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NamedShape) and other._names != self._names:
            return False
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__  # that of the equal plain tuple

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join(f'{name}={size}' for name, size in self._asdict().items())})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (tuple(self._asdict().items()),)


NamedShape.__module__ = "jaxtyping_core.typing"


def _check_name(name: Any, earlier: tuple[str, ...]) -> None:
    if not isinstance(name, str):
        raise TypeError(f"The name of a dim is a string, got {name!r}.")
    if name in earlier:
        raise ValueError(f"The dim {name!r} appears twice. Give each dim its own name.")
    if not name.isidentifier() or name.startswith("_") or hasattr(NamedShape, name):
        raise ValueError(
            f"{name!r} cannot name a dim. Use an identifier that does not start with an underscore and is not an "
            "attribute of tuples (count, index) or of NamedShape (names)."
        )


def _size(name: str, size: Any) -> int:
    try:
        number = int(operator.index(size))
    except TypeError:
        raise TypeError(
            f"The dim {name!r} has the size {size!r} of type {type(size).__name__}. A size is an integer."
        ) from None
    if number < 0:
        raise ValueError(f"The dim {name!r} has the size {number}. A size is 0 or more.")
    return number
