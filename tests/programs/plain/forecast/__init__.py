"""Forecasts of series by a GRU: the package of `run_forecast.py`."""

from .model import GRU, Forecaster
from . import data, optax_utils
from .optax_utils import momentum as default_optimizer

__all__ = ["GRU", "Forecaster", "data", "default_optimizer", "optax_utils"]
WINDOW = 12
