"""Objects of SciPy: distributions, what interpolates, trees of points, sparse matrices, and the contents of files."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.libraries.calls.memo import lasting
from ...engine.libraries.numpy.choices import evaluated
from ...engine.libraries.overlay import words
from ...engine.values.callables import Namespace
from ...engine.values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, is_anything
from .._describing import dtype_of, shape_of
from . import linalg, stand_ins
from .computed import Row, computing, of_arrays, real

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

#: Distributions of one number, and the methods that compute.
DISTRIBUTIONS = words(
    """
    bernoulli beta betabinom binom cauchy chi chi2 erlang expon exponnorm f gamma gengamma genextreme gennorm genpareto
    geom gumbel_l gumbel_r halfcauchy halfnorm hypergeom invgamma invgauss laplace logistic lognorm loguniform maxwell
    nbinom ncx2 norm pareto poisson powerlaw randint rayleigh rice skewnorm t triang truncnorm uniform vonmises
    weibull_min
    """
)
METHODS = words("pdf pmf logpdf logpmf cdf logcdf sf logsf ppf isf mean std var rvs")
#: Functions that give a statistic and a probability, and the parameters that are arrays.
TESTS = {
    "pearsonr": "x y",
    "spearmanr": "a b",
    "kendalltau": "x y",
    "ttest_1samp": "a popmean",
    "ttest_ind": "a b",
    "ttest_rel": "a b",
    "wilcoxon": "x y",
    "mannwhitneyu": "x y",
    "shapiro": "x",
}
#: Classes of sparse matrices, and functions that convert to them.
SPARSE = (
    "csr_matrix",
    "csc_matrix",
    "coo_matrix",
    "csr_array",
    "csc_array",
    "coo_array",
    "lil_matrix",
    "dok_matrix",
)


def _method(name: str, method: str) -> Any:
    """A method of a distribution, of parameters that are all 1."""

    def of_ones(*args: Any, **kwargs: Any) -> Any:
        kwargs.pop("random_state", None)
        ones = [np.ones_like(each) if isinstance(each, np.ndarray) else each for each in args]
        named = {
            key: np.ones_like(each) if isinstance(each, np.ndarray) else each for key, each in kwargs.items()
        }
        return getattr(real(f"scipy.stats.{name}"), method)(*ones, **named)

    return lasting(of_ones)


def _distribution(natives: Natives, name: str) -> Namespace:
    def computed(method: str) -> Callable[..., Any]:
        row = Row(None, is_cheap=method != "rvs")

        def call(*args: Any, **kwargs: Any) -> Any:
            kwargs = {key: each for key, each in kwargs.items() if key != "random_state"}
            return natives.interpreter.call(
                computing(natives, lambda: _method(name, method), row), [*args], kwargs
            )

        return call

    functions = {method: computed(method) for method in METHODS}

    def frozen(*args: Any, **kwargs: Any) -> Namespace:
        def bound(method: str) -> Callable[..., Any]:
            def call(*own: Any, **options: Any) -> Any:
                if method == "rvs":
                    return functions[method](
                        *args, **dict(zip(("size", "random_state"), own, strict=False)), **options, **kwargs
                    )
                return functions[method](*own, *args, **options, **kwargs)

            return natives.function(call)

        return Namespace(**{method: bound(method) for method in METHODS})

    return Namespace(
        **{method: natives.function(function) for method, function in functions.items()},
        __call__=natives.function(frozen),
    )


def _normal(natives: Natives) -> Namespace:
    """``multivariate_normal``."""

    def computed(method: str) -> Callable[..., Any]:
        f, row = linalg.OF_NORMAL[method]
        return computing(natives, lambda: f, row)

    functions = {method: computed(method) for method in linalg.OF_NORMAL}

    def frozen(*args: Any, **kwargs: Any) -> Namespace:
        names = dict(zip(("mean", "cov", "allow_singular"), args, strict=False)) | kwargs
        names.pop("seed", None)

        def bound(method: str) -> Callable[..., Any]:
            def call(*own: Any, **options: Any) -> Any:
                if method == "rvs":
                    options |= dict(zip(("size", "random_state"), own, strict=False))
                    options.pop("random_state", None)
                    return functions[method](
                        **{key: each for key, each in names.items() if key != "allow_singular"}, **options
                    )
                return functions[method](*own, **options, **names)

            return natives.function(call)

        return Namespace(**{method: bound(method) for method in functions})

    return Namespace(**functions, __call__=natives.function(frozen))


def _test(natives: Natives, name: str) -> Callable[..., Any]:
    row = Row(frozenset(TESTS[name].split()))

    @lasting
    def pair(*args: Any, **kwargs: Any) -> Any:
        result = real(f"scipy.stats.{name}")(*args, **kwargs)
        return result.statistic, result.pvalue

    # Python lets functions have attributes of which mypy knows nothing.
    pair.__signature__ = inspect.signature(real(f"scipy.stats.{name}"))  # type: ignore[attr-defined]

    def call(*args: Any, **kwargs: Any) -> Any:
        natives.interpreter.may_raise_epoch += 1
        made = of_arrays(pair, row, [*args], kwargs)
        return made if isinstance(made, tuple) else UNKNOWN

    return call


def _of_points(natives: Natives, name: str) -> Callable[..., Any]:
    """A class whose objects are called with new points."""
    f, opened, ignored = stand_ins.OF_POINTS[name]
    row = Row(frozenset(opened.split()), stand_ins.FEW)
    parameters = [each for each in inspect.signature(f).parameters if each != "new"]

    def make(*args: Any, **kwargs: Any) -> Any:
        kwargs = {key: each for key, each in kwargs.items() if key not in ignored.split()}
        named = dict(zip(parameters, args, strict=False)) | kwargs
        if len(args) > len(parameters) or not named.keys() <= set(parameters):
            return UNKNOWN

        def evaluate(new: Any = UNKNOWN, *others: Any, **options: Any) -> Any:
            natives.interpreter.may_raise_epoch += 1
            return UNKNOWN if others or options else of_arrays(f, row, [new], named)

        return Namespace(__call__=natives.function(evaluate))

    return make


def _density(natives: Natives) -> Callable[..., Any]:
    row = Row(frozenset({"points", "dataset"}), stand_ins.FEW)

    def make(dataset: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        def evaluate(points: Any = UNKNOWN) -> Any:
            natives.interpreter.may_raise_epoch += 1
            return of_arrays(stand_ins.density, row, [points, dataset], {})

        called = natives.function(evaluate)
        return Namespace(__call__=called, evaluate=called, pdf=called)

    return make


def _tree(natives: Natives) -> Callable[..., Any]:
    row = Row(frozenset({"x", "data", "eps", "p"}), stand_ins.FEW)

    def make(data: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        def query(x: Any = UNKNOWN, k: Any = 1, eps: Any = 0, p: Any = 2, **_: Any) -> Any:
            natives.interpreter.may_raise_epoch += 1
            return of_arrays(stand_ins.query, row, [x, data, k, eps, p], {})

        return Namespace(query=natives.function(query), n=AbstractScalar(int))

    return make


def _sparse(natives: Natives, dtype: Any, shape: Any) -> Namespace:
    """A sparse matrix. Only arrays that it becomes are seen of it."""

    def dense(*args: Any, **kwargs: Any) -> Any:
        return UNKNOWN if args or kwargs else NumpyArray(dtype, shape)

    def same(*_: Any, **kwargs: Any) -> Any:
        return _sparse(natives, dtype, shape)

    def cast(to: Any = UNKNOWN, **_: Any) -> Any:
        made = UNKNOWN if is_anything(to) else evaluated(np.zeros, [(), to], {})
        return _sparse(natives, made.np_dtype if isinstance(made, NumpyArray) else None, shape)

    def transposed(*_: Any, **__: Any) -> Any:
        return _sparse(natives, dtype, None if shape is None else shape[::-1])

    length = AbstractScalar(int)
    return Namespace(
        toarray=natives.function(dense),
        astype=natives.function(cast),
        transpose=natives.function(transposed),
        shape=(length, length) if shape is None else tuple(length if dim is None else dim for dim in shape),
        nnz=length,
        dtype=UNKNOWN if dtype is None else dtype,
        data=NumpyArray(dtype, (None,)),
        **dict.fromkeys(("tocsr", "tocsc", "tocoo", "copy"), natives.function(same)),
    )


def _sparse_made(natives: Natives) -> Callable[..., Any]:
    """What a class of sparse matrices gives: of an array, of another one, of a shape, or of numbers and where they are."""

    def make(content: Any = UNKNOWN, shape: Any = None, dtype: Any = None, copy: Any = False) -> Any:
        if isinstance(content, Namespace):
            of_this = content.names.get("astype" if dtype is not None else "copy", UNKNOWN)
            return natives.interpreter.call(of_this, [] if dtype is None else [dtype], {})
        is_pair = type(content) is tuple and len(content) in (2, 3)
        numbers = content[0] if is_pair else content
        if is_pair and len(content) == 2 and not isinstance(content[1], tuple | list):
            return _sparse(natives, None, _pair(content))
        if type(numbers) is list:
            numbers = evaluated(np.asarray, [numbers], {})
        known = dtype_of(numbers)
        made = np.dtype(known) if known is not None and known in np.sctypeDict else None
        if dtype is not None:
            cast = UNKNOWN if is_anything(dtype) else evaluated(np.zeros, [(), dtype], {})
            made = cast.np_dtype if isinstance(cast, NumpyArray) else None
        sizes = shape_of(numbers) if shape is None and not is_pair else _pair(shape)
        is_matrix = sizes is not None and len(sizes) == 2
        return _sparse(
            natives, made, tuple(d if type(d) is int else None for d in sizes or ()) if is_matrix else None
        )

    return make


def _pair(shape: Any) -> Any:
    """The sizes that a shape says."""
    is_pair = type(shape) in (tuple, list) and len(shape) == 2
    return tuple(each if type(each) is int else None for each in shape) if is_pair else (None, None)


def _of_matlab(natives: Natives) -> Callable[..., Any]:
    """What is in a file of MATLAB: arrays by their names."""

    def item(key: Any = UNKNOWN, *_: Any) -> Any:
        return NumpyArray(None, None) if type(key) is str and not key.startswith("__") else UNKNOWN

    def load(*_: Any, **options: Any) -> Any:
        getter = natives.function(item)
        return UNKNOWN if options else Namespace(__getitem__=getter, get=getter)

    return load


def _sound(*_: Any, **__: Any) -> Any:
    """The rate of a sound, and its samples."""
    return AbstractScalar(int), NumpyArray(None, None)


def functions(natives: Natives) -> dict[str, Any]:
    """What is seen in place of classes and functions, by their paths."""
    tree = natives.function(_tree(natives))
    sparse = natives.function(_sparse_made(natives))
    return {
        **{f"scipy.stats.{name}": _distribution(natives, name) for name in DISTRIBUTIONS},
        **{f"scipy.stats.{name}": natives.function(_test(natives, name)) for name in TESTS},
        "scipy.stats.multivariate_normal": _normal(natives),
        "scipy.stats.gaussian_kde": natives.function(_density(natives)),
        **{
            f"scipy.interpolate.{name}": natives.function(_of_points(natives, name))
            for name in stand_ins.OF_POINTS
        },
        "scipy.io.loadmat": natives.function(_of_matlab(natives)),
        "scipy.io.wavfile.read": natives.function(_sound),
        "scipy.spatial.cKDTree": tree,
        "scipy.spatial.KDTree": tree,
        **{f"scipy.sparse.{name}": sparse for name in SPARSE},
    }
