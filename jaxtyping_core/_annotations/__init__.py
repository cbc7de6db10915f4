"""What `jaxtyping_core.typing` is made of at run time. Nothing here imports JAX.

scalars      the dtype classes (`float32`, `floating`, `weak_float`)
source       an annotation as it is written in source code
sizes        what one dim of a shape accepts
shapes       what the shape parameter of an array accepts
elements     what the dtype parameter of an array accepts
array        `Array[DType, Shape]`, a class for every annotation; `is_array`
like         `Like[Float32[B, D]]`, for what JAX converts
named_shape  `NamedShape`
inputs       `ArrayLike`, `DTypeLike`, `ShapeLike`
"""
