"""The table: every function of the layer, as rows. Shapes, arguments and values are those of ``jax.numpy``.

Sources: https://data-apis.org/array-api/2025.12/ and https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from jaxtyping_core.numpy._elementwise import ELEMENTWISE
from jaxtyping_core.numpy._rows import Row, rows

_REDUCTIONS: tuple[Row, ...] = (
    *rows(
        "sum",
        {
            "sum a": "The sum of the elements, along axes.",
            "prod a": "The product of the elements, along axes.",
            "cumsum a": "The sums of the elements so far, along an axis.",
            "cumprod a": "The products of the elements so far, along an axis.",
            "cumulative_sum x": "The sums of the elements so far, along an axis.",
            "cumulative_prod x": "The products of the elements so far, along an axis.",
            "nansum a": "The sum of the elements that are not NaN.",
            "nanprod a": "The product of the elements that are not NaN.",
            "nancumsum a": "The sums so far of the elements that are not NaN.",
            "nancumprod a": "The products so far of the elements that are not NaN.",
            "trace a": "The sum of the diagonal.",
        },
    ),
    *rows(
        "quantile",
        {
            "quantile a q": "The quantiles `q`, along axes.",
            "percentile a q": "The percentiles `q`, along axes.",
            "nanquantile a q": "The quantiles of the elements that are not NaN.",
            "nanpercentile a q": "The percentiles of the elements that are not NaN.",
        },
    ),
    *rows(
        "divide",
        {
            "mean a": "The arithmetic mean, along axes.",
            "std a": "The standard deviation, along axes.",
            "var a": "The variance, along axes.",
            "median a": "The median, along axes.",
            "average a - weights": "The weighted mean, along axes.",
            "nanmean a": "The mean of the elements that are not NaN.",
            "nanstd a": "The standard deviation of the elements that are not NaN.",
            "nanvar a": "The variance of the elements that are not NaN.",
            "nanmedian a": "The median of the elements that are not NaN.",
            "histogram_bin_edges a": "The edges of the bins of `histogram`.",
            "gradient f *varargs": "The gradient by central differences.",
            "poly seq_of_zeros": "The polynomial with the given roots.",
            "polyder p": "The derivative of a polynomial.",
            "polyfit x y - - - w": "The polynomial that fits points best.",
            "roots p": "The roots of a polynomial.",
            "trapezoid y x dx": "The integral by the trapezoidal rule.",
        },
    ),
    *rows(
        "alone",
        {
            "max a": "The greatest element, along axes.",
            "min a": "The least element, along axes.",
            "amax a": "The greatest element, along axes.",
            "amin a": "The least element, along axes.",
            "nanmax a": "The greatest element that is not NaN.",
            "nanmin a": "The least element that is not NaN.",
            "ptp a": "The greatest element minus the least one.",
            "all a": "Whether all elements are true, along axes.",
            "any a": "Whether any element is true, along axes.",
            "argmax a": "The index of the greatest element.",
            "argmin a": "The index of the least element.",
            "nanargmax a": "The index of the greatest element that is not NaN.",
            "nanargmin a": "The index of the least element that is not NaN.",
            "count_nonzero a": "How many elements are not zero, along axes.",
        },
    ),
)

_IN_FLOATING_POINT: tuple[Row, ...] = (
    *rows(
        "double",
        {
            "cov m y": "The covariance matrix of the variables in the rows.",
            "corrcoef x y": "The correlation matrix of the variables in the rows.",
        },
    ),
    *rows("each divide", {"polydiv u v": "The quotient and remainder of polynomials."}),
)

_MANIPULATION: tuple[Row, ...] = (
    *rows(
        "alone",
        {
            "reshape a": "The elements in another shape.",
            "ravel a": "The elements in one dimension.",
            "transpose a": "The axes in another order; reversed if no order is given.",
            "permute_dims a": "The axes in another order.",
            "matrix_transpose x": "The last two axes exchanged.",
            "swapaxes a": "Two axes exchanged.",
            "moveaxis a": "Axes moved to other places.",
            "rollaxis a": "One axis moved to another place.",
            "expand_dims a": "New axes of size 1.",
            "squeeze a": "Without axes of size 1.",
            "broadcast_to array": "The array broadcast to a shape.",
            "broadcast_arrays *args": "The arrays broadcast to their common shape.",
            "atleast_1d *arys": "The arrays with at least one axis.",
            "atleast_2d *arys": "The arrays with at least two axes.",
            "atleast_3d *arys": "The arrays with at least three axes.",
            "meshgrid *xi": "Coordinate arrays from coordinate vectors.",
            "flip m": "The elements in reversed order along axes.",
            "fliplr m": "The elements in reversed order along the second axis.",
            "flipud m": "The elements in reversed order along the first axis.",
            "roll a": "The elements shifted around along axes.",
            "rot90 m": "The array rotated by quarter turns.",
            "tile A": "The array repeated as a whole.",
            "repeat a": "Each element repeated.",
            "resize a": "The elements, repeated as needed, in another shape.",
            "split ary": "The array in parts along an axis.",
            "array_split ary": "The array in parts, which need not be equal, along an axis.",
            "hsplit ary": "The array in parts along the second axis.",
            "vsplit ary": "The array in parts along the first axis.",
            "dsplit ary": "The array in parts along the third axis.",
            "unstack x": "The array as a tuple of its parts along an axis.",
            "diag v": "The diagonal of a matrix, or the matrix of a diagonal.",
            "diagflat v": "The matrix that has the elements as its diagonal.",
            "diagonal a": "The diagonals of matrices.",
            "tril m": "The lower triangle; zero above it.",
            "triu m": "The upper triangle; zero below it.",
            "delete arr": "The array without the given part.",
            "trim_zeros filt": "The vector without zeros at its ends.",
            "sort a": "The elements in order along an axis.",
            "histogram a": "How many elements are in each bin.",
            "histogramdd sample": "How many points are in each bin of a space.",
            "argsort a": "The indices that would put the elements in order.",
            "partition a": "The elements with the least `kth` ones first.",
            "argpartition a": "The indices of a `partition`.",
            "lexsort keys[]": "The indices that would order by several keys.",
            "take a": "The elements at `indices` along an axis.",
            "take_along_axis arr": "The elements at `indices`, which differ from row to row.",
            "compress - a": "The parts of an array where a condition holds, along an axis.",
            "extract - arr": "The elements where a condition holds.",
            "nonzero a": "The indices of the elements that are not zero.",
            "flatnonzero a": "The indices in the flattened array of the elements that are not zero.",
            "argwhere a": "The indices of the elements that are not zero, as rows.",
            "unique ar": "The distinct elements in order.",
            "unique_all x": "The distinct elements, their first indices, inverse indices and counts.",
            "unique_counts x": "The distinct elements and their counts.",
            "unique_inverse x": "The distinct elements and their inverse indices.",
            "unique_values x": "The distinct elements.",
            "bincount x": "How often each non-negative integer occurs.",
            "packbits a": "Bits packed into bytes.",
            "unpackbits a": "Bytes unpacked into bits.",
            "diag_indices_from arr": "The indices of the diagonal of an array.",
            "tril_indices_from arr": "The indices of the lower triangle of an array.",
            "triu_indices_from arr": "The indices of the upper triangle of an array.",
            "ravel_multi_index multi_index[]": "Tuples of indices as indices in the flattened array.",
            "ix_ *args": "Index arrays of a grid.",
            "minmax a": "The least and the greatest element, along axes.",
            "pad array": "The array with elements around it.",
            "sort_complex a": "The elements in order, as complex numbers.",
            "top_k a": "The greatest elements in order, and their indices.",
            "unravel_index indices": "Indices in a flattened array as tuples of indices.",
            "astype x": "The array converted to a dtype that is asked for; no promotion.",
            "copy a": "A copy.",
        },
    ),
    *rows(
        "join",
        {
            "concat arrays[]": "The arrays one after the other along an axis.",
            "concatenate arrays[]": "The arrays one after the other along an axis.",
            "stack arrays[]": "The arrays side by side along a new axis.",
            "hstack tup[]": "The arrays one after the other along the second axis.",
            "vstack tup[]": "The arrays one after the other along the first axis.",
            "dstack tup[]": "The arrays one after the other along the third axis.",
            "column_stack tup[]": "Vectors as the columns of a matrix.",
            "where - x y": "The elements of `x` where a condition holds, those of `y` elsewhere.",
            "select - choicelist[] default": "The elements of the first choice whose condition holds.",
            "diff a - - prepend append": "Differences of neighbours along an axis.",
            "choose - choices[]": "The elements of the choice that an index names.",
            "histogram2d x y": "How many points are in each bin of a plane.",
            "union1d ar1 ar2": "The distinct elements of two arrays.",
            "intersect1d ar1 ar2": "The distinct elements that are in both arrays.",
            "setdiff1d ar1 ar2": "The distinct elements of one array that are not in another.",
            "setxor1d ar1 ar2": "The distinct elements that are in one of two arrays.",
        },
    ),
    *rows("clip", {"clip arr min max": "The elements, cut off at bounds."}),
    *rows(
        "question",
        {
            "searchsorted a v": "The places where elements keep an ordered array in order.",
            "digitize x bins": "The bins that elements belong to.",
            "isin element test_elements": "Whether each element is among others.",
            "array_equal a1 a2": "Whether shapes and elements are equal.",
            "array_equiv a1 a2": "Whether elements are equal after broadcasting.",
        },
    ),
)

_PRODUCTS: tuple[Row, ...] = (
    *rows(
        "made",
        {
            "append arr values": "An array followed by the elements of another one.",
            "dot a b": "The sum product over the last axis of `a` and the second to last of `b`.",
            "inner a b": "The scalar product over the last axes.",
            "outer a b": "All products of two vectors' elements.",
            "kron a b": "The Kronecker product.",
            "polyval p x": "A polynomial at points.",
            "vdot a b": "The scalar product of the flattened arrays, the first one conjugated.",
        },
    ),
    *rows(
        "made",
        {
            "convolve a v": "The convolution of two vectors.",
            "correlate a v": "The correlation of two vectors.",
            "polymul a1 a2": "The product of two polynomials.",
        },
        source="jaxtyping_core.numpy._lowered",
    ),
    *rows(
        "join",
        {
            "matmul a b": "The matrix product.",
            "vecdot x1 x2": "The scalar product of vectors, the first one conjugated.",
            "matvec x1 x2": "The product of matrices and vectors.",
            "vecmat x1 x2": "The product of vectors, conjugated, and matrices.",
            "tensordot a b": "The sum product over given axes.",
            "cross a b": "The vector product.",
            "block arrays[]": "A matrix made of blocks.",
            "einsum - *operands": "The sum product that a subscript string describes.",
            "polyadd a1 a2": "The sum of two polynomials.",
            "polysub a1 a2": "The difference of two polynomials.",
        },
    ),
)

_CREATION: tuple[Row, ...] = (
    *rows(
        "range",
        {
            "arange start stop step": "Evenly spaced values, by their distance.",
        },
    ),
    *rows(
        "space",
        {
            "linspace start stop": "Evenly spaced values, by their number.",
            "logspace start stop - - base": "Powers of a base with evenly spaced exponents.",
        },
    ),
    *rows(
        "geometric space",
        {
            "geomspace start stop": "Values evenly spaced in the logarithm, by their ends.",
        },
    ),
    *rows(
        "powers",
        {
            "vander x": "The Vandermonde matrix of a vector.",
        },
    ),
    *rows(
        "filled",
        {
            "full - fill_value": "An array of a shape, with one value.",
            "full_like - fill_value": "An array with the shape of another, with one value.",
        },
    ),
    *rows(
        "array",
        {
            "array": "An array of what looks like one; a copy.",
            "asarray": "An array of what looks like one.",
        },
    ),
    *rows(
        "create",
        {
            "bartlett": "The Bartlett window.",
            "blackman": "The Blackman window.",
            "diag_indices": "The indices of a diagonal.",
            "hamming": "The Hamming window.",
            "hanning": "The Hann window.",
            "kaiser": "The Kaiser window.",
            "empty": "An array of a shape; its values mean nothing.",
            "empty_like": "An array with the shape of another; its values mean nothing.",
            "eye": "A matrix with ones on a diagonal.",
            "from_dlpack": "An array over the memory of another library's (DLPack).",
            "frombuffer": "A vector of the bytes of a buffer.",
            "identity": "The identity matrix.",
            "indices": "The indices of every element of a grid.",
            "ones": "An array of a shape, of ones.",
            "ones_like": "An array with the shape of another, of ones.",
            "tri": "A matrix with ones up to a diagonal.",
            "tril_indices": "The indices of a lower triangle.",
            "triu_indices": "The indices of an upper triangle.",
            "zeros": "An array of a shape, of zeros.",
            "zeros_like": "An array with the shape of another, of zeros.",
        },
    ),
)

TABLE: tuple[Row, ...] = (
    *ELEMENTWISE,
    *_REDUCTIONS,
    *_IN_FLOATING_POINT,
    *_MANIPULATION,
    *_PRODUCTS,
    *_CREATION,
)

_IN_PLACE = "changes its argument in NumPy; use `x.at`"
_ONE_SIDED = "the dtype of one array is forced upon the others, without promotion"
_PROMOTES = "promotes by itself in the middle of the computation, which strict mode refuses for some dtypes"
_FILES = "reads or writes files and text; NumPy does that"
_PYTHON = "takes Python functions; `vmap` and operators do that"

#: The names of ``jax.numpy`` that the layer leaves out, with the reason. Of the standard it has everything.
LEFT_OUT: dict[str, str] = {
    **dict.fromkeys(("fill_diagonal", "place", "put", "put_along_axis"), _IN_PLACE),
    **dict.fromkeys(("ediff1d", "insert"), _ONE_SIDED),
    **dict.fromkeys(("interp", "polyint", "unwrap"), _PROMOTES),
    **dict.fromkeys(("fromfile", "fromiter", "fromstring", "load", "save", "savez"), _FILES),
    **dict.fromkeys(
        ("array_repr", "array_str", "get_printoptions", "printoptions", "set_printoptions"), _FILES
    ),
    **dict.fromkeys(
        ("apply_along_axis", "apply_over_axes", "fromfunction", "frompyfunc", "vectorize"), _PYTHON
    ),
    **dict.fromkeys(("mask_indices", "piecewise"), _PYTHON),
    **dict.fromkeys(("einsum_path", "iscomplexobj", "isrealobj", "isscalar", "iterable"), "gives no arrays"),
    **dict.fromkeys(("character", "flexible", "object_"), "no array of JAX has such a dtype"),
    **dict.fromkeys(("ComplexWarning", "ufunc"), "is JAX's own; functions of the layer are no ufuncs"),
}
