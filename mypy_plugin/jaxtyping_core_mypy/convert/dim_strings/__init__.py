"""jaxtyping's annotations: ``Float[Array, "batch dim"]`` means to mypy what ``Floating[Batch, Dim]`` means.

mypy takes them for ``Annotated[Array, "batch dim"]`` and forgets the text. A dim that a function's parameters name
becomes a type variable of the function (`signatures`), so that all that mypy and the plugin know about type variables
holds for it: it is rigid in the body, and solved at each call.
"""

from jaxtyping_core_mypy.convert.dim_strings.aliases import keep_texts
from jaxtyping_core_mypy.convert.dim_strings.hook import DimStrings
from jaxtyping_core_mypy.convert.dim_strings.pytrees import open_pytrees
from jaxtyping_core_mypy.convert.dim_strings.results import with_open_sizes
from jaxtyping_core_mypy.convert.dim_strings.spelling import without_suffixes
from jaxtyping_core_mypy.convert.dim_strings.written import written_array

__all__ = [
    "DimStrings",
    "keep_texts",
    "open_pytrees",
    "with_open_sizes",
    "without_suffixes",
    "written_array",
]
