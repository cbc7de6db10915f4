"""Filtering by FFT, a spectrogram, the heat equation in Fourier space, complex numbers."""

import jax.numpy as jnp
import numpy as np
from jax import jit, lax, vmap
from jax.numpy.fft import fft, fftfreq, ifft, irfft, rfft, rfftfreq

RATE = 128


def tone(frequency, seconds=2.0, phase=0):
    t = np.arange(0, seconds, 1 / RATE)
    return np.sin(2 * np.pi * frequency * t + phase)


def low_pass(signal, cutoff):
    spectrum = rfft(signal)
    frequencies = rfftfreq(signal.shape[-1], d=1 / RATE)
    spectrum = jnp.where(frequencies <= cutoff, spectrum, 0)
    return irfft(spectrum, n=signal.shape[-1])


def frames(signal, size, hop):
    starts = jnp.arange(0, len(signal) - size + 1, hop)
    return vmap(lambda s: lax.dynamic_slice(signal, (s,), (size,)))(starts)


def spectrogram(signal, size=32, hop=16):
    window = jnp.hanning(size)
    magnitudes = jnp.abs(rfft(frames(signal, size, hop) * window, axis=-1))
    return 20 * jnp.log10(magnitudes + 1e-6)


@jit
def heat(u0, t):
    k = 2 * jnp.pi * fftfreq(u0.size, 1 / u0.size)
    return jnp.real(ifft(fft(u0) * jnp.exp(-1e-3 * k**2 * t)))


def convolve(a, b):
    n = a.shape[0] + b.shape[0] - 1
    size = 1 << (n - 1).bit_length()
    product = rfft(a, size) * rfft(b, size)
    return irfft(product, size)[:n]


def roots_of_unity(n):
    return jnp.exp(2j * jnp.pi * jnp.arange(n) / n)


signal = jnp.asarray(tone(5) + 0.5 * tone(40, phase=np.pi / 3))
smooth = low_pass(signal, cutoff=10)
db = spectrogram(signal)
peak = rfftfreq(signal.size, 1 / RATE)[jnp.abs(rfft(signal)).argmax()]
x = jnp.linspace(0, 1, 64, endpoint=False)
u0 = jnp.where((x > 0.4) & (x < 0.6), 1.0, 0.0)
states = vmap(heat, in_axes=(None, 0))(u0, jnp.array([0.0, 0.1, 1.0]))
mass = states.mean(axis=-1)
direct = jnp.convolve(signal[:20], jnp.ones(5) / 5)
by_fft = convolve(signal[:20], jnp.ones(5) / 5)
assert jnp.allclose(direct, by_fft, atol=1e-4)
w = roots_of_unity(8)
total = w.sum()
angle, modulus = jnp.angle(w), abs(w)
image = jnp.outer(jnp.sin(x[:16]), jnp.cos(x[:16]))
spectrum = jnp.fft.fftshift(jnp.fft.fft2(image))
power = (spectrum * spectrum.conj()).real
phase = w.imag / jnp.maximum(w.real, 1e-3)
pair = jnp.stack([w.real, w.imag], -1)
again = lax.complex(pair[:, 0], pair[:, 1])
print(peak, smooth.shape, db.shape, mass, abs(total), angle.dtype, modulus[0], power.dtype, phase[1], again.dtype)
