"""The special names that the program's classes and objects may have. Python and the libraries look them up: data.

Whatever is not listed is left out. It hands out what an object or a function is made of (`__reduce_ex__`, `__globals__`,
`__dict__`), makes of numbers an address in memory (`__array_interface__`), runs when nobody calls it (`__del__`), or answers
in place of Python (`__class__`, `__instancecheck__`, `__getattribute__`, `__set_name__`).
"""

from __future__ import annotations

from .tables import words

#: Methods, which are walked.
METHODS = words(
    """
    __abs__ __add__ __aenter__ __aexit__ __aiter__ __and__ __anext__ __array__ __array_function__ __array_ufunc__
    __attrs_post_init__ __array_namespace__ __await__ __bool__ __bytes__ __call__ __ceil__ __check_init__ __complex__ __contains__ __copy__
    __deepcopy__ __delattr__ __delete__ __delitem__ __divmod__ __enter__ __eq__ __exit__ __float__ __floor__
    __floordiv__ __format__ __ge__ __get__ __getattr__ __getitem__ __gt__ __hash__ __iadd__ __iand__ __ifloordiv__
    __ilshift__ __imatmul__ __imod__ __imul__ __index__ __init__ __init_subclass__ __int__ __invert__ __ior__ __ipow__
    __irshift__ __isub__ __iter__ __itruediv__ __ixor__ __jax_array__ __le__ __len__ __length_hint__ __lshift__ __lt__
    __matmul__ __missing__ __mod__ __mul__ __ne__ __neg__ __new__ __next__ __or__ __pos__ __post_init__ __pow__
    __radd__ __rand__ __rdivmod__ __replace__ __repr__ __reversed__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__
    __rmul__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __set__ __setattr__
    __setitem__ __setup__ __str__ __sub__ __truediv__ __trunc__ __xor__
    """
)
#: Data: `classes` makes each itself, or sees that it is what Python expects.
DATA = words(
    """
    __all__ __annotations__ __array_priority__ __author__ __constants__ __dataclass_fields__ __doc__ __file__
    __main__ __match_args__ __module__ __name__ __program__ __qualname__ __version__ __jax_array_priority__
    """
)
ALLOWED = METHODS | DATA
#: What only describes a function or a class: nothing that a program computes follows from it.
DESCRIBING = words("__doc__ __module__ __name__ __qualname__")
#: Names of one underscore that libraries give to the classes and objects that a program makes of theirs.
OF_LIBRARIES = words(
    """
    _asdict _field_defaults _fields _make _member_map_ _member_names_ _name_ _replace _sort_order_ _value2member_map_
    _value_
    """
)


def is_special(name: str) -> bool:
    """Whether a name has two underscores at both ends."""
    return name[:2] == "__" and name[-2:] == "__" and len(name) > 4


def is_closed_name(name: str) -> bool:
    """Whether a name is a special one that no class or object of a program has."""
    return name[:2] == "__" and is_special(name) and name not in ALLOWED


def may_name(name: object) -> bool:
    """Whether a program may give an attribute this name: libraries write the names of fields into code."""
    return type(name) is str and name.isidentifier() and not is_closed_name(name)
