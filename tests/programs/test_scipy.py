"""What is said of SciPy's functions is what SciPy gives."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import jax
import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = """
import jax
import jax.numpy as jnp
import numpy as np
import scipy
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.spatial
import scipy.special
import scipy.stats
from scipy import interpolate, linalg, ndimage, optimize, signal, sparse, special, stats
from scipy.integrate import odeint, quad, simpson, solve_ivp
from scipy.spatial.distance import cdist, pdist, squareform

jax.config.update("jax_enable_x64", True)
rng = np.random.RandomState(0)
x = rng.rand(5, 4)
y = rng.rand(5)
single = x.astype("float32")
square = x.T @ x + np.eye(4)
large = rng.rand(3000, 2)
"""
#: Expressions of which all is known.
KNOWN = """
special.logsumexp(x, axis=1)
special.logsumexp(single)
special.softmax(single, axis=1)
special.expit(jnp.zeros(4, jnp.float32))
special.erf(1)
special.gamma(single)
special.jv(1, x)
special.gammaln(np.arange(5))
special.sph_harm_y(1, 1, x, x)
special.factorial(np.arange(3))
special.factorial(5, exact=True)
np.zeros(special.comb(4, 2, exact=True))
np.zeros(int(special.factorial(3)))
special.roots_legendre(5)[0]
special.logsumexp(large)
linalg.block_diag(x, square)
linalg.cholesky(square, lower=True)
linalg.cho_solve(linalg.cho_factor(square), x[0])
linalg.lu_solve(linalg.lu_factor(square), x[0])
linalg.solve_triangular(square, x[0])
linalg.toeplitz(y)
linalg.expm(np.eye(3, dtype="float32"))
linalg.eigh(square)[1]
linalg.eigh(square, eigvals_only=True)
linalg.eigvals(square)
linalg.eig(square)[0]
linalg.inv(square)
linalg.solve(square, x[0])
linalg.svd(x, full_matrices=False)[0]
linalg.qr(x, mode="economic")[0]
linalg.lstsq(x, y)[0]
linalg.hadamard(4)
linalg.norm(x)
linalg.det(square)
ndimage.gaussian_filter(single, sigma=1)
ndimage.gaussian_filter(np.zeros((5, 4), "int32"), 1.5)
ndimage.zoom(x, 2)
ndimage.zoom(single, (1, 0.5), order=1)
ndimage.rotate(x, 90)
ndimage.label(x > 0.5)[0]
ndimage.map_coordinates(x, np.zeros((2, 7)))
ndimage.distance_transform_edt(x > 0.5)
ndimage.sobel(single, axis=0)
signal.convolve(x, np.ones((2, 2)), mode="same")
signal.convolve2d(x, x)
signal.fftconvolve(x, x, "same")
signal.butter(3, 0.1)[0]
signal.filtfilt(*signal.butter(1, 0.1), np.zeros(50))
signal.lfilter([1.0], [1.0, 0.5], single)
signal.sosfilt(signal.butter(3, 0.1, output="sos"), y)
signal.savgol_filter(x, 3, 1)
signal.welch(np.zeros(500))[1]
signal.resample(x, 10)
signal.windows.hann(5)
signal.detrend(x)
scipy.fft.rfft(single)
scipy.fft.dct(x)
cdist(x, x)
cdist(large, large[:70], "sqeuclidean")
pdist(x)
squareform(pdist(x))
scipy.spatial.distance.euclidean(y, y)
scipy.spatial.distance_matrix(x, x)
scipy.spatial.cKDTree(x).query(x[:3])[1]
scipy.spatial.KDTree(x).query(x[:3], k=2)[0]
stats.norm.cdf(x)
stats.norm.pdf(0.3)
stats.norm.pdf(single, 0.5, scale=2)
stats.norm.rvs(size=(3, 2))
stats.norm.rvs(0, 1, 100)
stats.norm(0, 1).rvs(3)
stats.norm(loc=y, scale=1).logpdf(y)
stats.poisson.rvs(3, size=4)
stats.beta.pdf(y, 1, 2)
stats.t.ppf(0.9, df=3)
stats.truncnorm.rvs(-2, 2, size=7, random_state=0)
stats.pearsonr(y, y)[0]
stats.spearmanr(y, y)[1]
stats.ttest_ind(y, y)[1]
stats.gaussian_kde(y)(np.zeros(7))
stats.gaussian_kde(x[:, :2].T)(np.zeros((2, 7)))
stats.multivariate_normal.pdf(x[:, :2], np.zeros(2), np.eye(2))
stats.multivariate_normal(np.zeros(2), np.eye(2)).logpdf(x[:, :2])
stats.multivariate_normal.rvs(np.zeros(2), np.eye(2), size=6)
stats.zscore(x)
stats.qmc.Sobol(d=3, seed=0).random(n=8)
stats.qmc.Sobol(3).random_base2(m=2)
stats.qmc.Halton(2, seed=1).reset().random()
stats.qmc.LatinHypercube(2).random(5)
stats.qmc.scale(stats.qmc.LatinHypercube(2).random(5), [0, 0], [1, 2])
interpolate.interp1d(np.arange(5), y)(np.zeros((2, 3)))
interpolate.interp1d(np.arange(5.0), x, axis=0, kind="cubic")(np.zeros(3))
interpolate.interp1d(np.arange(4), single, fill_value="extrapolate", bounds_error=False)(0.5)
interpolate.CubicSpline(np.arange(5), x)(np.zeros(3))
interpolate.PchipInterpolator(np.arange(5), y)(np.zeros(3))
interpolate.UnivariateSpline(np.arange(5), y, s=0)(np.zeros(3))
interpolate.RegularGridInterpolator((np.arange(5), np.arange(4)), x)(np.zeros((7, 2)))
interpolate.griddata(x[:, :2], y, (np.zeros((7, 6)), np.zeros((7, 6))), method="linear")
interpolate.RBFInterpolator(x[:, :2], y)(np.zeros((7, 2)))
sparse.csr_matrix(single).toarray()
sparse.coo_matrix((np.ones(3), ([0, 1, 2], [0, 1, 2])), shape=(4, 5)).toarray()
sparse.csr_matrix(x).astype(np.float32).tocsc().toarray()
optimize.linear_sum_assignment(x)[1]
optimize.minimize(lambda v: ((v - 1) ** 2).sum(), np.zeros(3)).x
optimize.minimize(lambda v: ((v - 1) ** 2).sum(), [0, 0])["x"]
optimize.minimize(lambda v, a: a * ((v - 1) ** 2).sum(), single[0], args=(2.0,), method="Nelder-Mead").x
optimize.minimize(lambda v: ((v - 1) ** 2).sum(), single[0], method="L-BFGS-B").x
optimize.minimize(lambda v: ((v - 1) ** 2).sum(), y, bounds=[(0, 1)] * 5).x
optimize.curve_fit(lambda t, a, b: a * t + b, np.arange(5), y)[0]
optimize.curve_fit(lambda t, a, b: a * t + b, np.arange(5), y, p0=[1, 2])[1]
optimize.least_squares(lambda v: np.concatenate([v - 1, v]), single[0]).x
optimize.least_squares(lambda v: np.concatenate([v - 1, v]), y).fun
optimize.root(lambda v: v - 1, y).x
optimize.root(lambda v: v - 1, single[0]).x
optimize.fsolve(lambda v: v - 1, [0.0, 0.0])
optimize.brentq(lambda v: v - 0.5, 0, 1)
optimize.brentq(lambda v, a: v - a, 0, 1, args=(0.5,))
optimize.differential_evolution(lambda v: (v**2).sum(), [(0, 1)] * 3).x
odeint(lambda v, t: -v, [1.0, 2.0], np.linspace(0, 1, 7))
odeint(lambda t, v, k: -k * v, y, np.linspace(0, 1, 7), args=(2,), tfirst=True)
quad(lambda v: v**2, 0, 1)[0]
simpson(x, dx=0.1)
simpson(y, x=np.arange(5))
""".strip().splitlines()
#: Expressions of which something is not known, since numbers say it.
OPEN = """
linalg.sqrtm(square)
linalg.eig(square)[1]
linalg.lstsq(x, y)[1]
solve_ivp(lambda t, v: -v, (0, 1), [1.0, 2.0]).y
solve_ivp(lambda t, v: -v, (0, 1), y, t_eval=np.linspace(0, 1, 7)).t
stats.poisson.rvs(3)
ndimage.zoom(x, y[0])
optimize.minimize(lambda v: ((v - 1) ** 2).sum(), single[0], method="Powell").x
optimize.minimize(lambda v: ((v - 1) ** 2).sum(), single[0], method="BFGS").x
optimize.minimize(lambda v: ((v - 1) ** 2).sum(), single[0], method="CG").x
optimize.root(lambda v: v - 1, single[0], method="broyden1").x
optimize.brentq(lambda v: v - 0.5, 0, 1, full_output=True)[0]
sparse.csr_matrix(x).data
special.factorial(np.arange(3), exact=True)
""".strip().splitlines()


def _claimed(child: Evaluator, tmp_path: Path, texts: list[str]) -> list[tuple[Any, Any]]:
    """The dtype and the shape of what each expression gives, as an evaluation knows them."""
    lines = [f"v{number} = jnp.asarray({text})" for number, text in enumerate(texts)]
    report = evaluate_text(child, tmp_path, "\n".join([HEAD, *lines, ""]))
    assert not report.refusals
    known = {place.name: place.known for place in report.places}
    told = [known.get(f"v{number}") for number in range(len(texts))]
    return [(None, None) if each is None else (each.dtype, each.shape) for each in told]


def _real(texts: list[str]) -> list[tuple[str, tuple[int, ...]]]:
    scope: dict[str, Any] = {}
    before = jax.config.read("jax_enable_x64")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(HEAD, scope)  # noqa: S102  # it is ours
            made = [scope["jnp"].asarray(eval(text, scope)) for text in texts]
    finally:
        jax.config.update("jax_enable_x64", before)
    return [(each.dtype.name, each.shape) for each in made]


def test_all_is_known(child: Evaluator, tmp_path: Path) -> None:
    claimed = dict(zip(KNOWN, _claimed(child, tmp_path, KNOWN), strict=True))
    assert claimed == dict(zip(KNOWN, _real(KNOWN), strict=True))


def test_nothing_is_wrong(child: Evaluator, tmp_path: Path) -> None:
    for text, told, real in zip(OPEN, _claimed(child, tmp_path, OPEN), _real(OPEN), strict=True):
        (dtype, shape), (true_dtype, true_shape) = told, real
        assert dtype in (None, true_dtype), text
        if shape is not None:
            assert len(shape) == len(true_shape), text
            assert all(dim in (None, true) for dim, true in zip(shape, true_shape, strict=True)), text


CALLS = """
def objective(point, scale):
    value = jnp.sum(point) * scale
    return value

def gradient(point, scale):
    slope = jnp.ones_like(point)
    return slope

def seen(point):
    shown = jnp.asarray(point)

def constraint(point):
    left = jnp.asarray(point)[0]
    return left

optimize.minimize(objective, np.zeros(3), (2.0,), method="SLSQP", jac=gradient, callback=seen,
                  constraints={"type": "eq", "fun": constraint})

def model(where, slope, height):
    line = jnp.asarray(where) * slope + height
    return line

optimize.curve_fit(model, np.arange(5), np.zeros(5))

def residual(params):
    rest = jnp.asarray(params)
    return rest

optimize.least_squares(residual, [1.0, 2.0])

def rate(state, time):
    flow = -jnp.asarray(state)
    return flow

odeint(rate, [1.0, 2.0], np.linspace(0, 1, 7))

def change(time, state):
    moved = jnp.asarray(state) * 2
    return moved

solve_ivp(change, (0, 1), np.zeros(4))
"""


def test_functions_of_the_program_are_called_as_scipy_calls_them(child: Evaluator, tmp_path: Path) -> None:
    places = {place.name: place.known for place in evaluate_text(child, tmp_path, HEAD + CALLS).places}
    names = ("value", "slope", "shown", "left", "line", "rest", "flow", "moved")
    known = {name: (places[name].dtype, places[name].shape) for name in names}
    shapes = ((), (3,), (3,), (), (5,), (2,), (2,), (4,))
    assert known == {name: ("float64", shape) for name, shape in zip(names, shapes, strict=True)}


@pytest.mark.parametrize(
    "text",
    ["special.expit(x, out)", "special.expit(x, out=out)", "ndimage.gaussian_filter(x, 1, output=out)"],
)
def test_what_is_written_into_is_known_no_longer(child: Evaluator, tmp_path: Path, text: str) -> None:
    program = f"{HEAD}out = np.full((5, 4), 2)\n{text}\nv = jnp.zeros(out[0, 0])\n"
    places = {place.name: place.known for place in evaluate_text(child, tmp_path, program).places}
    assert places["v"].shape == (None,)


def test_no_function_of_the_program_gets_to_scipy(child: Evaluator, tmp_path: Path) -> None:
    program = f"{HEAD}v = jnp.asarray(ndimage.gaussian_filter(x, lambda: 1))\n"
    places = {place.name: place.known for place in evaluate_text(child, tmp_path, program).places}
    known = places.get("v")
    assert known is None or known.dtype is None
