"""Fourier transforms: the functions of ``jax.numpy.fft``, under the promotion system in force."""

from __future__ import annotations

from typing import Any

from jaxtyping_core.numpy import _extensions, _functions

FUNCTIONS: dict[str, Any] = _functions.make_all(_extensions.FFT)
globals().update(FUNCTIONS)
