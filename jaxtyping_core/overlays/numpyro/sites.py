"""Sites of NumPyro's models: what `sample`, `param`, `deterministic` and `plate` give, and a walk of a model that keeps them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ...domain.arrays import TOP
from ...domain.values import PYTHON_NUMBERS
from ...engine.values import arrays
from ...engine.values.joins import join
from ...engine.values.unknowns import (
    UNKNOWN,
    ArrayLike,
    is_anything,
    is_scalar,
    is_unknown,
)
from . import distributions

if TYPE_CHECKING:
    from ...engine.interpreter import Interpreter

#: Handlers under which a site is another, or has another value, than the program writes.
ALTERING = frozenset({"condition", "do", "lift", "reparam", "replay", "substitute", "collapse", "scope"})


@dataclass
class Site:
    """What is known of a site.

    Attributes:
        kind: "sample", "deterministic", or another type of NumPyro's messages.
        name: its name in the model.
        observed: whether data were given for it.
        distribution: what it is drawn from; unknown where that is not known.
    """

    kind: str
    value: Any
    observed: bool = False
    distribution: Any = UNKNOWN
    name: str = ""


class Walk:
    """One walk of a model.

    Args:
        values: the values that sample sites have, by name; unknown: any sites may have any.
        continuous: whether an inference over continuous values runs, so that discrete sites are enumerated.
        given: the names of the sites that inference starts with the program's values for; unknown: there may be any.
    """

    def __init__(
        self, interpreter: Interpreter, values: Any = None, continuous: bool = False, initial: Any = ()
    ) -> None:
        self.interpreter = interpreter
        self.values = {} if values is None else values
        self.continuous, self.initial = continuous, initial
        self.sites: dict[str, Site] = {}
        #: Whether all the model's sites are among `sites`.
        self.complete = True
        self.outer = interpreter.context
        #: How many handlers are around the model.
        self.depth = 0
        #: The name of the site whose statement is walked, and what becomes of it.
        self.asked: Any = None
        self.answer: Site | None = None

    def of(self, model: Any, args: list[Any], kwargs: dict[str, Any], key: Any) -> Any:
        """Walk a model with these arguments and this random key; what it returns."""
        handlers = importlib.import_module("numpyro.handlers")
        messenger = importlib.import_module("numpyro.primitives").Messenger
        with _handled(self.interpreter) as (stack, enter):
            enter(_recorder(self))
            enter(handlers.seed(rng_seed=_any_key(key)))
            if isinstance(self.values, Mapping) and self.values:
                enter(handlers.substitute(substitute_fn=self._given))
            self.depth = len(stack)
            while (
                isinstance(model, messenger) and model.fn is not None and not isinstance(model, handlers.seed)
            ):
                enter(model)
                model = model.fn
            return self.interpreter.call(model, args, kwargs)

    def _given(self, message: dict[str, Any]) -> Any:
        """The value of a site, for NumPyro: those of deterministic sites are computed."""
        return None if message["type"] == "deterministic" else self.values.get(message.get("name"))

    def astray(self) -> bool:
        """Whether what is walked may be walked otherwise, or under handlers of which nothing is known."""
        now, outer = self.interpreter.context, self.outer
        return now.try_depth > outer.try_depth or now.opaque_depth > outer.opaque_depth

    def keep(self, name: Any, site: Site) -> None:
        """A site that the walk has come to, perhaps not for the first time."""
        if not isinstance(name, str):
            self.complete = False
            return
        if self.astray() or self.interpreter.context.sample is not self.outer.sample:
            site.value = UNKNOWN
        before = self.sites.get(name)
        if before is not None:
            site.value = join(before.value, site.value)
            site.observed = site.observed and before.observed
        self.sites[name] = site

    def drawn(self, message: dict[str, Any]) -> Any:
        """A value of a site for which none is given."""
        if not isinstance(self.values, Mapping):
            return UNKNOWN
        distribution, options = message["fn"], message["kwargs"]
        value = distributions.drawn(self.interpreter, distribution, options.get("sample_shape", ()))
        if not self.continuous or arrays.known_of(value) is None:
            return value
        value = distributions.constrained(distribution, value)
        drawn = not is_unknown(self.initial) and message["name"] not in self.initial
        # Of what a program gives, a weakly typed number may come back.
        return value if drawn else ArrayLike(distributions.weak(value))


def _recorder(walk: Walk) -> Any:
    """The outermost handler of a walk: it draws what has no value, and keeps all sites."""
    messenger: Any = importlib.import_module("numpyro.primitives").Messenger

    class Recorder(messenger):  # type: ignore[misc]  # a class of NumPyro's, which need not be installed
        def __init__(self) -> None:
            super().__init__()
            self.walk = walk

        def process_message(self, msg: dict[str, Any]) -> None:
            if msg["type"] == "sample" and msg["value"] is None:
                msg["value"] = walk.drawn(msg)

        def postprocess_message(self, msg: dict[str, Any]) -> None:
            if "name" in msg and msg["type"] in ("sample", "deterministic"):
                observed = bool(msg.get("is_observed"))
                site = Site(msg["type"], msg["value"], observed, msg.get("fn", UNKNOWN), msg["name"])
                if msg["name"] == walk.asked:
                    walk.answer = site
                else:
                    walk.keep(msg["name"], site)

    return Recorder()


@contextmanager
def _handled(interpreter: Interpreter) -> Iterator[tuple[list[Any], Callable[[Any], None]]]:
    """NumPyro's stack of handlers, which is afterwards as it was, and what puts one on it."""
    primitives = importlib.import_module("numpyro.primitives")

    stack: list[Any] = vars(primitives)["_PYRO_STACK"]
    before = list(stack)
    try:
        yield stack, lambda handler: handler.__enter__()
    finally:
        stack[:] = before


def _any_key(key: Any) -> Any:
    """A random key of the kind of `key`."""
    old = (arrays.known_of(key) or TOP).dtype == "uint32"
    return jax.random.PRNGKey(0) if old else jax.random.key(0)


def _sample(interpreter: Interpreter) -> Callable[..., Any]:
    primitives = importlib.import_module("numpyro.primitives")

    real, stack = primitives.sample, vars(primitives)["_PYRO_STACK"]

    def sample(name: Any = UNKNOWN, fn: Any = UNKNOWN, obs: Any = None, *args: Any, **kwargs: Any) -> Any:
        arguments = [name, fn, obs, *args, *kwargs.values()]
        walk = _walk_in(stack)
        if walk is None:
            lost = stack and interpreter.context.opaque_depth
            value = UNKNOWN if lost else interpreter.of_library(real, [name, fn, obs, *args], kwargs)
            if value is UNKNOWN:
                _tell(stack, name, value, False)
            return value
        altered = not ALTERING.isdisjoint(type(handler).__name__ for handler in stack[walk.depth :])
        enumerated = walk.continuous and obs is None and distributions.is_discrete(fn)
        walk.asked, walk.answer = name, None
        if walk.astray() or enumerated or arrays.holds_unknown(arguments):
            # What is observed has the values that are given; what may be, or may not, is no known site.
            observed = obs is not None and not is_anything(obs)
            walk.complete = walk.complete and not altered and (observed or obs is None)
            value = obs if observed and not altered else UNKNOWN
            walk.keep(name, Site("sample", value, observed))
            _tell(stack, name, value, observed)
            return value
        value = interpreter.of_library(real, [name, fn, obs, *args], kwargs)
        site, walk.asked = walk.answer, None
        if site is not None:
            walk.keep(name, replace(site, value=value))
            if walk.continuous and site.observed and not interpreter.context.try_depth:
                _weigh(interpreter, site)
        elif value is UNKNOWN:
            walk.complete = walk.complete and not altered
            walk.keep(name, Site("sample", value, obs is not None))
        return value

    return sample


def _weigh(interpreter: Interpreter, site: Site) -> None:
    """The log density of an observed site, which inference computes later: data that do not fit are refused at the site."""
    primitives = importlib.import_module("numpyro.primitives")
    densities: Any = importlib.import_module("numpyro.infer.util").compute_log_probs

    def model(distribution: Any, value: Any) -> None:
        primitives.sample(site.name, distribution, obs=value)

    known = (site.distribution, site.value)
    if not arrays.holds_unknown(known):
        with _handled(interpreter) as (stack, _):
            stack.clear()
            interpreter.real(densities, [model, known, {}, {}], {})


def _tell(stack: list[Any], name: Any, value: Any, observed: bool) -> None:
    """The program's own traces hear of a site that is not known."""
    site = dict.fromkeys(("fn", "args", "kwargs", "scale", "infer"), UNKNOWN)
    for handler in stack:
        if type(handler).__name__ == "trace" and isinstance(name, str):
            handler.trace[name] = {
                **site,
                "type": "sample",
                "name": name,
                "value": value,
                "is_observed": UNKNOWN if not observed else True,
            }


def _walk_in(stack: list[Any]) -> Walk | None:
    """The walk whose handlers are on the stack, the inner one."""
    return next((handler.walk for handler in reversed(stack) if hasattr(handler, "walk")), None)


def _deterministic(interpreter: Interpreter) -> Callable[..., Any]:
    primitives = importlib.import_module("numpyro.primitives")

    real, stack = primitives.deterministic, vars(primitives)["_PYRO_STACK"]

    def deterministic(name: Any = UNKNOWN, value: Any = UNKNOWN) -> Any:
        if not arrays.holds_unknown([name, value]):
            interpreter.of_library(real, [name, value], {})
            return value
        walk = _walk_in(stack)
        if walk is not None:
            hidden = any(type(handler).__name__ == "block" for handler in stack[walk.depth :])
            walk.keep(name, Site("deterministic", UNKNOWN if hidden else value))
        return value

    return deterministic


def _param(interpreter: Interpreter) -> Callable[..., Any]:
    """``param``: its initial value, or what an inference has made of that, which is an array and is not weakly typed."""
    real = importlib.import_module("numpyro.primitives").param

    def param(*args: Any, **kwargs: Any) -> Any:
        value = interpreter.of_library(real, [*args], kwargs)
        is_number = isinstance(value, (*PYTHON_NUMBERS, np.ndarray, np.generic))
        known = arrays.known_of(jnp.asarray(value) if is_number else value) or TOP
        dtype, weak = known.dtype, known.weak
        # A constraint makes a floating-point number of an integer.
        kept = dtype if dtype is not None and jnp.issubdtype(jnp.dtype(dtype), jnp.inexact) else None
        if known.shape is None:
            return UNKNOWN
        made = arrays.of_known(known.with_dtype(kept, False if weak is False and not is_number else None))
        return ArrayLike(made) if is_number else made

    return param


def _plate(interpreter: Interpreter) -> Callable[..., Any]:
    real = importlib.import_module("numpyro").plate

    def plate(name: Any = UNKNOWN, size: Any = UNKNOWN, subsample_size: Any = None, dim: Any = None) -> Any:
        if is_unknown(name) or is_unknown(dim):
            return UNKNOWN
        if is_unknown(subsample_size):
            size, subsample_size = arrays.unknown_size(), None
        elif is_unknown(size):
            size = arrays.size_of(size) if is_scalar(size) else arrays.unknown_size()
            size = size if subsample_size is None else subsample_size
        return interpreter.of_library(real, [name, size, subsample_size, dim], {})

    return plate


def handled(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of a model with NumPyro's handlers around it: they are entered, and the model is called.

    What NumPyro itself would do with the arguments, but they may be unknown. ``SVI.run`` is asked for the same without a
    progress bar, for which NumPyro takes each step by itself and reads the losses.
    """
    if _is_optimized(f):
        return interpreter.of_library(f, args, {**kwargs, "progress_bar": False})
    handler = getattr(f, "__self__", f)
    with _handled(interpreter) as (_, enter):
        if type(handler).__name__ == "seed":  # it would keep a key for the next call
            handler = type(handler)(handler.fn, rng_seed=handler.rng_key, hide_types=handler.hide_types)
        enter(handler)
        result = interpreter.call(handler.fn, args, kwargs)
        return result if f is getattr(f, "__self__", f) else handler.trace


def is_handled(f: Any) -> bool:
    """Whether a call is one of a model with handlers around it, of ``get_trace`` of such, or of ``SVI.run``."""
    primitives = sys.modules.get("numpyro.primitives")
    if primitives is None:
        return False
    if _is_optimized(f):
        return True
    holder = getattr(f, "__self__", None)
    if getattr(f, "__name__", None) == "get_trace" and type(holder).__name__ == "trace":
        f = holder
    return isinstance(f, primitives.Messenger) and getattr(f, "fn", None) is not None


def _is_optimized(f: Any) -> bool:
    inference = sys.modules.get("numpyro.infer.svi")
    is_method = inference is not None and isinstance(getattr(f, "__self__", None), inference.SVI)
    return is_method and f.__name__ == "run"


#: What is called in place of NumPyro's functions.
FUNCTIONS: dict[str, Callable[[Interpreter], Callable[..., Any]]] = {
    "numpyro.sample": _sample,
    "numpyro.deterministic": _deterministic,
    "numpyro.param": _param,
    "numpyro.plate": _plate,
}
