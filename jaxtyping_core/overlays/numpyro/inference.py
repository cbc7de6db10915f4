"""NumPyro's inference: samplers take no steps, but walk the model once, and give arrays that are like its sites."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

from ...domain.arrays import TOP
from ...domain.values import PYTHON_NUMBERS
from ...engine.language import operators
from ...engine.values import arrays
from ...engine.values.callables import Namespace
from ...engine.values.conversions import as_array
from ...engine.values.joins import join
from ...engine.values.unknowns import UNKNOWN, is_dim, is_scalar, is_unknown
from .sites import Site, Walk

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

#: Kernels that know the model by its continuous sites, and change none of them.
KERNELS = ("NUTS", "HMC", "SA", "BarkerMH")
#: ... that say of each step whether it diverged.
DIVERGING = ("NUTS", "HMC", "SA")
#: Names of `numpyro.infer` that are called as they are: what they do is computed by JAX.
REAL = (
    *("SVI", "Trace_ELBO", "TraceMeanField_ELBO", "TraceGraph_ELBO", "RenyiELBO", "ELBO"),
    *(
        "init_to_feasible",
        "init_to_mean",
        "init_to_median",
        "init_to_sample",
        "init_to_uniform",
        "init_to_value",
    ),
    *("autoguide", "reparam"),
)

#: Strategies that start with drawn values.
DRAWING = tuple(name for name in REAL if name.startswith("init_to_") and name != "init_to_value")


def size_of(number: Any) -> Any:
    """A number as a size; None if it may be anything."""
    if type(number) is int or is_dim(number):
        return number
    return arrays.size_of(number) if is_scalar(number, int) else None


def namespaces(natives: Natives) -> dict[str, Any]:
    """The modules, with what is seen of them."""
    infer = importlib.import_module("numpyro.infer")

    inference = {
        **{name: value for name in REAL if (value := getattr(infer, name, None)) is not None},
        **{name: natives.function(_kernel(name)) for name in KERNELS},
        "MCMC": natives.function(_of_chains(natives)),
        "initialize_model": natives.function(_initialized(natives)),
        "Predictive": natives.function(_predictive(natives)),
        "log_likelihood": natives.function(_log_likelihood(natives)),
    }
    nothing = natives.function(lambda *_, **__: None)
    utilities = Namespace(
        set_platform=nothing,
        set_host_device_count=nothing,
        set_rng_seed=nothing,
        enable_x64=natives.function(_enable_x64(natives)),
    )
    samplers = Namespace(**{name: inference[name] for name in (*KERNELS, "MCMC")})
    return {
        "numpyro.infer": Namespace(**inference),
        "numpyro.infer.mcmc": samplers,
        "numpyro.infer.hmc": samplers,
        "numpyro.infer.util": Namespace(
            Predictive=inference["Predictive"],
            log_likelihood=inference["log_likelihood"],
            initialize_model=inference["initialize_model"],
            log_density=natives.function(_joint_density(natives)),
        ),
        "numpyro.util": utilities,
        **{f"numpyro.{name}": function for name, function in utilities.names.items()},
    }


@dataclass(frozen=True)
class Kernel:
    """A sampler's kernel.

    Attributes:
        model: its model.
        initial: the names of the sites that it starts with the program's values for, if that is known.
        diverges: whether it says of each step whether it diverged.
    """

    model: Any
    initial: Any
    diverges: bool


def _kernel(name: str) -> Callable[..., Kernel]:
    def kernel(model: Any = None, *_: Any, **options: Any) -> Kernel:
        initial = _initial(options.get("init_strategy"))
        return Kernel(UNKNOWN if model is None else model, initial, name in DIVERGING)

    return kernel


def _initial(strategy: Any) -> Any:
    """The sites that a strategy starts with the program's values for; the others it draws."""
    if is_unknown(strategy):
        return UNKNOWN
    name = getattr(getattr(strategy, "func", strategy), "__name__", None)
    if strategy is None or name in DRAWING:
        return ()
    values = getattr(strategy, "keywords", {}).get("values") if name == "init_to_value" else None
    return tuple(sorted(values)) if type(values) is dict else UNKNOWN


def _of_chains(natives: Natives) -> Callable[..., Any]:
    """``MCMC``: what it gives is like the model's sites, once for each sample of each chain."""
    interpreter = natives.interpreter

    def mcmc(
        sampler: Any = UNKNOWN,
        *_: Any,
        num_samples: Any = UNKNOWN,
        num_chains: Any = 1,
        thinning: Any = 1,
        postprocess_fn: Any = None,
        jit_model_args: Any = False,
        **__: Any,
    ) -> Namespace:
        plain = isinstance(sampler, Kernel) and postprocess_fn is None and jit_model_args is False
        each, chains = _divided(num_samples, thinning), size_of(num_chains)
        both = each * chains if not (each is None or chains is None) else arrays.unknown_size()
        runs: list[dict[str, Any] | Any] = []
        fields: list[Any] = []

        def run(rng_key: Any = UNKNOWN, *args: Any, **kwargs: Any) -> None:
            fields.append(kwargs.pop("extra_fields", ()))
            starts = kwargs.pop("init_params", None)
            if not plain:
                interpreter.havoc(
                    [sampler, getattr(sampler, "model", None), postprocess_fn, *args, *kwargs.values()]
                )
                runs.append(UNKNOWN)
                return
            walk = Walk(interpreter, continuous=True, initial=sampler.initial if starts is None else UNKNOWN)
            _walked(walk, sampler.model, list(args), kwargs, rng_key)
            runs.append({name: site.value for name, site in _kept(walk)} if walk.complete else UNKNOWN)

        def get_samples(group_by_chain: Any = False) -> Any:
            if not runs or is_unknown(group_by_chain):
                return UNKNOWN
            values = runs[0]
            for other in runs[1:]:
                values = join(values, other)
            sizes = (chains, each) if group_by_chain else (both,)
            return (
                UNKNOWN
                if values is UNKNOWN
                else {name: stacked(value, sizes) for name, value in values.items()}
            )

        def get_extra_fields(group_by_chain: Any = False) -> Any:
            if not plain or not fields or arrays.holds_unknown([fields, group_by_chain]):
                return UNKNOWN
            if not sampler.diverges or any(map(len, fields)):
                return UNKNOWN
            sizes = (chains, each) if group_by_chain else (both,)
            return {"diverging": arrays.array("bool", False, sizes)}

        return Namespace(
            get_extra_fields=natives.function(get_extra_fields),
            run=natives.function(run),
            warmup=natives.function(run),
            get_samples=natives.function(get_samples),
            print_summary=natives.function(lambda *_, **__: None),
        )

    return mcmc


def _initialized(natives: Natives) -> Callable[..., Any]:
    """``initialize_model``: the model is walked; of what comes of it nothing is known."""

    def initialize_model(
        rng_key: Any = UNKNOWN,
        model: Any = UNKNOWN,
        *,
        init_strategy: Any = None,
        model_args: Any = (),
        model_kwargs: Any = None,
        **options: Any,
    ) -> Any:
        kwargs = {} if model_kwargs is None else model_kwargs
        if not isinstance(model_args, tuple) or not isinstance(kwargs, dict) or options:
            natives.interpreter.havoc([model, model_args, kwargs])
            return UNKNOWN
        walk = Walk(natives.interpreter, continuous=True, initial=_initial(init_strategy))
        _walked(walk, model, list(model_args), kwargs, rng_key)
        return UNKNOWN

    return initialize_model


def _walked(walk: Walk, model: Any, args: list[Any], kwargs: dict[str, Any], key: Any) -> None:
    """Walk a model that is known; of another nothing is known, and neither is what it sees."""
    if is_unknown(model):
        walk.interpreter.havoc([*args, *kwargs.values()])
        walk.complete = False
        return
    walk.of(model, args, kwargs, key)


def _kept(walk: Walk) -> list[tuple[str, Site]]:
    """The sites that a sampler gives: those that are not observed, in the order of JAX's trees."""
    return sorted((name, site) for name, site in walk.sites.items() if not site.observed)


def _divided(number: Any, divisor: Any) -> Any:
    number = size_of(number)
    if type(divisor) is int and divisor == 1:
        return number
    return number // divisor if type(number) is int and type(divisor) is int else None


def stacked(value: Any, sizes: tuple[Any, ...]) -> Any:
    """Arrays like `value`, as many as `sizes` say, in one."""
    known = arrays.known_of(_as_array(value))
    if known is None:
        return UNKNOWN
    dims = None if known.shape is None else (*sizes, *known.shape)
    return arrays.of_known(replace(known, weak=False, shape=dims))


def _as_array(value: Any) -> Any:
    """The array that a value of a site is to JAX."""

    if isinstance(value, (*PYTHON_NUMBERS, np.ndarray)):
        return jnp.asarray(value)
    return as_array(value)


def _row(value: Any, count: int) -> Any:
    """One of the arrays that are in one, under `count` axes."""
    known = arrays.known_of(_as_array(value))
    if known is None:
        return UNKNOWN
    return arrays.of_known(replace(known, shape=None if known.shape is None else known.shape[count:]))


def _of_posterior(samples: Any, count: Any) -> tuple[Any, tuple[Any, ...] | None]:
    """The values of the sites in one sample, and how many samples there are."""
    if not isinstance(samples, dict) or type(count) is not int:
        return UNKNOWN, None
    shapes = [(arrays.known_of(_as_array(value)) or TOP).shape for value in samples.values()]
    sizes = next((shape[:count] for shape in shapes if shape is not None), None)
    return {name: _row(value, count) for name, value in samples.items()}, sizes


def _predictive(natives: Natives) -> Callable[..., Any]:
    """``Predictive``: the model's sites, once for each sample of the posterior."""
    interpreter = natives.interpreter

    def predictive(
        model: Any = UNKNOWN,
        posterior_samples: Any = None,
        *,
        guide: Any = None,
        params: Any = None,
        num_samples: Any = None,
        return_sites: Any = None,
        infer_discrete: Any = False,
        batch_ndims: Any = None,
        **options: Any,
    ) -> Any:
        def predict(rng_key: Any = UNKNOWN, *args: Any, **kwargs: Any) -> Any:
            certain = (
                guide is None and infer_discrete is False and options.keys() <= {"parallel"} and not params
            )
            if not certain:
                interpreter.havoc([model, guide, *args, *kwargs.values()])
                return UNKNOWN
            posterior = {} if posterior_samples is None else posterior_samples
            count = 1 if batch_ndims is None else batch_ndims
            values, sizes = _of_posterior(posterior, count)
            if sizes is None and posterior == {} and count == 1:
                sizes = (size_of(num_samples),)
            walk = Walk(interpreter, values)
            _walked(walk, model, list(args), kwargs, rng_key)
            if not walk.complete or not isinstance(values, Mapping) or sizes is None:
                return UNKNOWN
            return _asked(walk, values, return_sites, sizes)

        return natives.function(predict)

    return predictive


def _asked(walk: Walk, values: Mapping[str, Any], names: Any, sizes: tuple[Any, ...]) -> Any:
    """The sites that a prediction is asked for: what the posterior does not say, if nothing else is said."""
    if arrays.holds_unknown(names):
        return UNKNOWN
    chosen = {
        name: site.value
        for name, site in sorted(walk.sites.items())
        if (name in names if names is not None else name not in values or site.kind == "deterministic")
    }
    return {name: stacked(value, sizes) for name, value in chosen.items()}


def _log_likelihood(natives: Natives) -> Callable[..., Any]:
    """``log_likelihood``: those of the observed sites, once for each sample of the posterior."""
    interpreter = natives.interpreter

    def log_likelihood(
        model: Any = UNKNOWN,
        posterior_samples: Any = UNKNOWN,
        *args: Any,
        parallel: Any = False,
        batch_ndims: Any = 1,
        **kwargs: Any,
    ) -> Any:
        values, sizes = _of_posterior(posterior_samples, batch_ndims)
        walk = Walk(interpreter, values)
        _walked(walk, model, list(args), kwargs, UNKNOWN)
        if not walk.complete or sizes is None:
            return UNKNOWN
        return {
            name: stacked(_log_density(natives, site), sizes)
            for name, site in sorted(walk.sites.items())
            if site.observed
        }

    return log_likelihood


def _joint_density(natives: Natives) -> Callable[..., Any]:
    """``log_density``: the sum over all sites with these values, and the trace, which is unknown."""
    interpreter = natives.interpreter

    def log_density(
        model: Any = UNKNOWN,
        model_args: Any = UNKNOWN,
        model_kwargs: Any = UNKNOWN,
        params: Any = UNKNOWN,
    ) -> Any:
        if not (isinstance(model_args, (tuple, list)) and isinstance(model_kwargs, dict)):
            interpreter.havoc([model_args, model_kwargs])
            return UNKNOWN, UNKNOWN
        walk = Walk(interpreter, dict(params) if isinstance(params, Mapping) else UNKNOWN)
        _walked(walk, model, [*model_args], model_kwargs, UNKNOWN)
        total: Any = jnp.zeros(())
        for site in walk.sites.values():
            if site.kind == "sample":
                density = interpreter.call(jnp.sum, [_log_density(natives, site)], {})
                total = interpreter.call(operators.add, [total, density], {})
        return total if walk.complete else UNKNOWN, UNKNOWN

    return log_density


def _log_density(natives: Natives, site: Site) -> Any:
    if is_unknown(site.distribution):
        return UNKNOWN
    return natives.interpreter.call(site.distribution.log_prob, [site.value], {})


def _enable_x64(natives: Natives) -> Callable[..., Any]:
    """``enable_x64``: as the option of JAX that it sets."""

    def enable_x64(use_x64: Any = True) -> None:
        natives.interpreter.call(natives.whole["jax.config"].names["update"], ["jax_enable_x64", use_x64], {})

    return enable_x64
