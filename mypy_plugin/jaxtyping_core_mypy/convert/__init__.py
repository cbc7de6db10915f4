"""Between mypy's types and values: the only package that knows how mypy represents types.

`Reader` turns the types and expressions of one call's arguments into values; `Writer` turns an answer back into a
mypy type. A dim that is a type variable is a symbol named after it; symbolic arithmetic that JAX answers (``B + 3``)
is a string literal type.
"""

from mypy.types import Type as Type

from jaxtyping_core_mypy.convert.abstract import Symbols as Symbols
from jaxtyping_core_mypy.convert.abstract import has_array as has_array
from jaxtyping_core_mypy.convert.abstract import is_array as is_array
from jaxtyping_core_mypy.convert.abstract import is_of_layer as is_of_layer
from jaxtyping_core_mypy.convert.abstract import is_unknown as is_unknown
from jaxtyping_core_mypy.convert.abstract import node_of as node_of
from jaxtyping_core_mypy.convert.abstract import read_array as read_array
from jaxtyping_core_mypy.convert.abstract import split_weak as split_weak
from jaxtyping_core_mypy.convert.abstract import type_variables as type_variables
from jaxtyping_core_mypy.convert.expressions import type_alone as type_alone
from jaxtyping_core_mypy.convert.expressions import type_of as type_of
from jaxtyping_core_mypy.convert.iterables import class_of as class_of
from jaxtyping_core_mypy.convert.iterables import is_any as is_any
from jaxtyping_core_mypy.convert.iterables import is_iterable as is_iterable
from jaxtyping_core_mypy.convert.iterables import is_one_of_several_arrays as is_one_of_several_arrays
from jaxtyping_core_mypy.convert.iterables import item_of as item_of
from jaxtyping_core_mypy.convert.iterables import refuses_array as refuses_array
from jaxtyping_core_mypy.convert.iterables import tuple_items as tuple_items
from jaxtyping_core_mypy.convert.iterables import union_items as union_items
from jaxtyping_core_mypy.convert.iterables import union_of as union_of
from jaxtyping_core_mypy.convert.iterables import with_item as with_item
from jaxtyping_core_mypy.convert.iterables import with_tuple_items as with_tuple_items
from jaxtyping_core_mypy.convert.literal_containers import is_container as is_container
from jaxtyping_core_mypy.convert.numpy import given_dtype as given_dtype
from jaxtyping_core_mypy.convert.numpy import is_numpy as is_numpy
from jaxtyping_core_mypy.convert.numpy import is_numpy_integer as is_numpy_integer
from jaxtyping_core_mypy.convert.numpy import number_dtype as number_dtype
from jaxtyping_core_mypy.convert.numpy import read_numpy as read_numpy
from jaxtyping_core_mypy.convert.numpy import scalar_of as scalar_of
from jaxtyping_core_mypy.convert.numpy import with_scalar as with_scalar
from jaxtyping_core_mypy.convert.own import declared as declared
from jaxtyping_core_mypy.convert.own import gives_back_type as gives_back_type
from jaxtyping_core_mypy.convert.own import has_abstract as has_abstract
from jaxtyping_core_mypy.convert.own import has_any as has_any
from jaxtyping_core_mypy.convert.own import is_overloaded as is_overloaded
from jaxtyping_core_mypy.convert.own import without_type_variable as without_type_variable
from jaxtyping_core_mypy.convert.own import without_variables as without_variables
from jaxtyping_core_mypy.convert.reader import Reader as Reader
from jaxtyping_core_mypy.convert.unknown_kinds import Kinds as Kinds
from jaxtyping_core_mypy.convert.unknown_kinds import kinds_for as kinds_for
from jaxtyping_core_mypy.convert.widening import is_wide as is_wide
from jaxtyping_core_mypy.convert.widening import reopen as reopen
from jaxtyping_core_mypy.convert.widening import widen as widen
from jaxtyping_core_mypy.convert.writer import Writer as Writer
