"""Static dtypes and shapes for JAX."""

from jaxtyping_core.errors import AnnotationError as AnnotationError
from jaxtyping_core.errors import LatticeError as LatticeError
from jaxtyping_core.errors import PromotionError as PromotionError
from jaxtyping_core.errors import PromotionWarning as PromotionWarning
from jaxtyping_core.errors import UnknownNameError as UnknownNameError
from jaxtyping_core.lattice import Lattice as Lattice
from jaxtyping_core.promotion import Promoted as Promoted
from jaxtyping_core.promotion import can_promote as can_promote
from jaxtyping_core.promotion import promote_types as promote_types
from jaxtyping_core.promotion import result_type as result_type

__version__ = "0.1.0.dev0"
