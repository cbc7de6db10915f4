"""Between mypy's types and abstract values: the only package that knows how mypy represents types.

`Reader` turns the types and expressions of one call's arguments into the evaluation protocol's values;
`Writer` turns an answer back into a mypy type. A dim that is a type variable is a symbol named after it;
symbolic arithmetic that JAX answers (``B + 3``) is a string literal type.
"""

from jaxtyping_core_mypy.convert.abstract import ArrayType as ArrayType
from jaxtyping_core_mypy.convert.abstract import Dim as Dim
from jaxtyping_core_mypy.convert.abstract import Symbols as Symbols
from jaxtyping_core_mypy.convert.abstract import is_array as is_array
from jaxtyping_core_mypy.convert.abstract import is_unknown as is_unknown
from jaxtyping_core_mypy.convert.abstract import merge_values as merge_values
from jaxtyping_core_mypy.convert.abstract import read_array as read_array
from jaxtyping_core_mypy.convert.abstract import read_dims as read_dims
from jaxtyping_core_mypy.convert.abstract import split_weak as split_weak
from jaxtyping_core_mypy.convert.abstract import weak_name as weak_name
from jaxtyping_core_mypy.convert.bindings import only_binding as only_binding
from jaxtyping_core_mypy.convert.numpy import read_numpy as read_numpy
from jaxtyping_core_mypy.convert.reader import Reader as Reader
from jaxtyping_core_mypy.convert.writer import Writer as Writer
