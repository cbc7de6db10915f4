"""The functions of SciPy that are called with arrays of zeros, by their modules and the names of their parameters."""

from __future__ import annotations

from .computed import Row


def _rows(module: str, row: Row, names: str) -> dict[str, Row]:
    return {f"{module}.{name}": row for name in names.split()}


def _open(names: str, most: int = 1 << 18) -> Row:
    return Row(frozenset(names.split()), most)


#: For what costs more than there are items.
FEW = 1 << 11
ELEMENTWISE = Row(None, 1 << 18, is_cheap=True)

ROWS: dict[str, Row] = {
    # Each is a ufunc.
    **_rows(
        "scipy.special",
        ELEMENTWISE,
        """
        agm airy bdtr beta betainc betaincinv betaln binom cbrt chdtr cosdg cosm1 dawsn digamma ellipe ellipj ellipk
        ellipkm1 entr erf erfc erfcinv erfcx erfi erfinv exp1 exp10 exp2 expi expit expm1 exprel expn fdtr fresnel
        gamma gammainc gammaincc gammainccinv gammaincinv gammaln gammasgn gdtr hankel1 hankel2 huber hyp0f1 hyp1f1
        hyp2f1 i0 i0e i1 i1e iv ive j0 j1 jn jv jve k0 k0e k1 k1e kl_div kn kv kve log1p log_expit log_ndtr loggamma
        logit modstruve nbdtr ndtr ndtri owens_t pdtr poch psi rel_entr rgamma shichi sici sindg spence stdtr stdtrit
        tandg voigt_profile wofz wrightomega xlog1py xlogy y0 y1 yn yv yve zetac
        eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre eval_hermite eval_hermitenorm eval_jacobi
        eval_laguerre eval_legendre lpmv sph_harm_y
        """,
    ),
    **_rows("scipy.special", Row(frozenset({"a", "b"})), "logsumexp"),
    **_rows("scipy.special", _open("x"), "softmax log_softmax"),
    **_rows("scipy.special", _open("x q"), "zeta"),
    **_rows("scipy.special", _open("z"), "lambertw"),
    **_rows("scipy.special", _open("n x"), "polygamma"),
    **_rows("scipy.special", _open("a"), "multigammaln"),
    # These say sizes.
    **_rows("scipy.special", Row(frozenset({"n"}), tells_numbers=True), "factorial factorial2"),
    **_rows("scipy.special", Row(frozenset({"N", "k"}), tells_numbers=True), "comb perm"),
    **_rows(
        "scipy.special",
        _open(""),
        "roots_chebyt roots_hermite roots_hermitenorm roots_laguerre roots_legendre",
    ),
    **_rows("scipy.special", _open("n z"), "spherical_jn spherical_yn spherical_in spherical_kn"),
    **_rows(
        "scipy.linalg",
        _open("a", FEW),
        "cholesky cho_factor det eigh eigvals eigvalsh inv lu_factor norm pinv svdvals",
    ),
    **_rows("scipy.linalg", _open("a", FEW), "hessenberg lu polar qr svd rq"),
    **_rows("scipy.linalg", _open("A", FEW), "expm cosm sinm"),
    **_rows("scipy.linalg", _open("a b", FEW), "solve solve_triangular"),
    **_rows("scipy.linalg", _open("c_and_lower lu_and_piv b", FEW), "cho_solve lu_solve"),
    **_rows("scipy.linalg", _open("arrs", FEW), "block_diag"),
    **_rows("scipy.linalg", _open("c r", FEW), "circulant toeplitz hankel"),
    **_rows("scipy.linalg", _open("a q b", FEW), "solve_continuous_lyapunov solve_discrete_lyapunov"),
    **_rows("scipy.linalg", _open(""), "dft hadamard helmert hilbert invhilbert pascal"),
    **_rows(
        "scipy.ndimage",
        _open("input sigma weights structure mask cval order truncate"),
        """
        convolve convolve1d correlate correlate1d gaussian_filter gaussian_filter1d gaussian_gradient_magnitude
        gaussian_laplace laplace maximum_filter median_filter minimum_filter percentile_filter prewitt sobel
        uniform_filter uniform_filter1d binary_closing binary_dilation binary_erosion binary_fill_holes binary_opening
        grey_closing grey_dilation grey_erosion grey_opening label distance_transform_edt shift spline_filter
        """,
    ),
    **_rows("scipy.ndimage", _open("input coordinates cval"), "map_coordinates"),
    **_rows("scipy.ndimage", _open("input matrix offset cval"), "affine_transform"),
    **_rows("scipy.ndimage", _open("input cval"), "rotate zoom"),
    **_rows(
        "scipy.signal",
        _open("in1 in2 volume input im x data fillvalue"),
        """
        convolve convolve2d correlate correlate2d detrend fftconvolve hilbert medfilt medfilt2d
        oaconvolve savgol_filter wiener decimate resample periodogram welch spectrogram
        """,
    ),
    **_rows("scipy.signal", _open("t duty width"), "chirp sawtooth square"),
    **_rows("scipy.signal", _open("Wn cutoff f0 fs"), "butter firwin"),
    **_rows("scipy.signal.windows", _open(""), "blackman gaussian hamming hann kaiser triang tukey"),
    **_rows(
        "scipy.fft",
        _open("x"),
        "dct dctn dst dstn fft fft2 fftn hfft idct idctn idst ifft ifft2 ifftn ihfft irfft",
    ),
    **_rows("scipy.fft", _open("x"), "irfft2 irfftn rfft rfft2 rfftn fftshift ifftshift"),
    **_rows("scipy.fft", _open("d"), "fftfreq rfftfreq"),
    **_rows("scipy.spatial", _open("x y", FEW), "distance_matrix"),
    **_rows("scipy.spatial.distance", _open("XA XB", FEW), "cdist"),
    **_rows("scipy.spatial.distance", _open("X", FEW), "pdist squareform"),
    **_rows(
        "scipy.spatial.distance",
        _open("u v w p q"),
        "chebyshev cityblock correlation cosine euclidean jensenshannon minkowski sqeuclidean",
    ),
    **_rows("scipy.stats", _open("a x scores"), "gmean hmean gstd kurtosis sem skew zscore iqr"),
    **_rows("scipy.stats", _open("pk qk base"), "entropy"),
    **_rows("scipy.stats", _open("a"), "rankdata"),
    **_rows("scipy.integrate", _open("y x dx"), "simpson trapezoid cumulative_simpson cumulative_trapezoid"),
    **_rows("scipy.optimize", _open("x fun f"), "rosen rosen_der rosen_hess"),
}
