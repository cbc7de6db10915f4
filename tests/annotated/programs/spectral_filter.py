"""A low-pass filter and a power spectrum through the real Fourier transform."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Complex, Float


def spectrum(signal: Float[Array, "channels n"]) -> Complex[Array, "channels n//2+1"]:
    return jnp.fft.rfft(signal, axis=-1)


def low_pass(signal: Float[Array, "channels n"], cutoff: float, rate: float) -> Float[Array, "channels n"]:
    n = signal.shape[-1]
    frequencies = jnp.fft.rfftfreq(n, d=1.0 / rate)
    keep: Bool[Array, " n//2+1"] = frequencies <= cutoff
    return jnp.fft.irfft(jnp.where(keep, spectrum(signal), 0.0), n=n, axis=-1)


def power(spec: Complex[Array, "channels freqs"]) -> Float[Array, "channels freqs"]:
    return jnp.abs(spec) ** 2


def welch(
    signal: Float[Array, "channels n"], segment: int, hop: int
) -> Float[Array, "channels {segment}//2+1"]:
    n = signal.shape[-1]
    starts = jnp.arange(0, n - segment + 1, hop)
    window = jnp.hanning(segment)

    def one(start: jax.Array) -> Float[Array, "channels freqs"]:
        piece = jax.lax.dynamic_slice_in_dim(signal, start, segment, axis=-1)
        return power(spectrum(piece * window))

    return jax.vmap(one)(starts).mean(axis=0)


time = jnp.arange(32) / 32.0
signal = jnp.stack([jnp.sin(2 * jnp.pi * f * time) for f in (2.0, 5.0, 11.0)])
smooth = low_pass(signal, cutoff=6.0, rate=32.0)
density = welch(signal, segment=10, hop=4)
print(jnp.abs(smooth).max(axis=1), density.argmax(axis=1))
