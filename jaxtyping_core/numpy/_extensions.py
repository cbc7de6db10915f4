"""The rows of the extensions of the standard: linear algebra and Fourier transforms."""

from __future__ import annotations

from jaxtyping_core.numpy._rows import Row, rows

_LINALG = "numpy.linalg"

LINALG: tuple[Row, ...] = (
    *rows(
        "divide",
        {
            "cholesky a": "The Cholesky factors of matrices.",
            "cond x": "The condition numbers of matrices.",
            "det a": "The determinants of matrices.",
            "eig a": "Eigenvalues and eigenvectors of matrices; on CPU and GPU.",
            "eigh a": "Eigenvalues and eigenvectors of Hermitian matrices.",
            "eigvals a": "The eigenvalues of matrices.",
            "eigvalsh a": "The eigenvalues of Hermitian matrices.",
            "inv a": "The inverses of matrices.",
            "lstsq a b": "The least squares solutions of linear equations.",
            "matrix_norm x": "The norms of matrices.",
            "matrix_rank M": "The ranks of matrices.",
            "norm x": "The norms of vectors or matrices.",
            "pinv a": "The pseudo-inverses of matrices.",
            "qr a": "The QR decompositions of matrices.",
            "slogdet a": "The signs and logarithms of determinants.",
            "solve a b": "The solutions of linear equations.",
            "svd a": "The singular value decompositions of matrices.",
            "svdvals x": "The singular values of matrices.",
            "tensorinv a": "The inverse with respect to `tensordot`.",
            "tensorsolve a b": "The solution of a `tensordot` equation.",
            "vector_norm x": "The norms of vectors.",
        },
        module=_LINALG,
    ),
    *rows(
        "join",
        {
            "cross x1 x2": "The vector product.",
            "matmul x1 x2": "The matrix product.",
            "multi_dot arrays[]": "The product of several matrices, in the cheapest order.",
            "outer x1 x2": "All products of two vectors' elements.",
            "tensordot x1 x2": "The sum product over given axes.",
            "vecdot x1 x2": "The scalar product of vectors, the first one conjugated.",
        },
        module=_LINALG,
    ),
    *rows(
        "alone",
        {
            "diagonal x": "The diagonals of matrices.",
            "matrix_power a": "The integer powers of matrices.",
            "matrix_transpose x": "The last two axes exchanged.",
        },
        module=_LINALG,
    ),
    *rows("sum", {"trace x": "The sums of diagonals."}, module=_LINALG),
)

FFT: tuple[Row, ...] = (
    *rows(
        "divide",
        {
            "fft a": "The discrete Fourier transform along an axis.",
            "fft2 a": "The discrete Fourier transform along two axes.",
            "fftn a": "The discrete Fourier transform along axes.",
            "hfft a": "The transform of a signal with Hermitian symmetry.",
            "ifft a": "The inverse of `fft`.",
            "ifft2 a": "The inverse of `fft2`.",
            "ifftn a": "The inverse of `fftn`.",
            "ihfft a": "The inverse of `hfft`.",
            "irfft a": "The inverse of `rfft`.",
            "irfft2 a": "The inverse of `rfft2`.",
            "irfftn a": "The inverse of `rfftn`.",
            "rfft a": "The transform of real elements along an axis.",
            "rfft2 a": "The transform of real elements along two axes.",
            "rfftn a": "The transform of real elements along axes.",
        },
        module="numpy.fft",
    ),
    *rows(
        "alone",
        {
            "fftshift x": "Frequency zero moved to the middle.",
            "ifftshift x": "The inverse of `fftshift`.",
        },
        module="numpy.fft",
    ),
    *rows(
        "create",
        {
            "fftfreq": "The frequencies of `fft`.",
            "rfftfreq": "The frequencies of `rfft`.",
        },
        module="numpy.fft",
    ),
)
