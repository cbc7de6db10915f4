"""The radix-2 Fourier transform and its inverse by recursion."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Complex, Float


def twiddles(n: int) -> Complex[Array, "{n}"]:
    return jnp.exp(-1j * jnp.pi * jnp.arange(n) / n)


def fft(x: Complex[Array, "n"]) -> Complex[Array, "n"]:
    n = x.shape[0]
    if n == 1:
        return x
    even, odd = fft(x[::2]), fft(x[1::2])
    turned = twiddles(n // 2) * odd
    return jnp.concatenate([even + turned, even - turned])


def ifft(x: Complex[Array, "n"]) -> Complex[Array, "n"]:
    return jnp.conj(fft(jnp.conj(x))) / x.shape[0]


def convolve(a: Float[Array, "n"], b: Float[Array, "m"]) -> Float[Array, "n+m-1"]:
    length = a.shape[0] + b.shape[0] - 1
    padded = 1 << (length - 1).bit_length()
    fa = fft(jnp.pad(a, (0, padded - a.shape[0])).astype(jnp.complex64))
    fb = fft(jnp.pad(b, (0, padded - b.shape[0])).astype(jnp.complex64))
    return ifft(fa * fb).real[:length]


def smooth(signals: Float[Array, "b n"], kernel: Float[Array, "m"]) -> Float[Array, "b n+m-1"]:
    return jax.vmap(convolve, in_axes=(0, None))(signals, kernel)


signals = jax.random.normal(jax.random.key(0), (2, 7))
kernel = jnp.array([0.25, 0.5, 0.25])
print(jnp.abs(smooth(signals, kernel)[0] - jnp.convolve(signals[0], kernel)).max())
