"""`scipy.optimize`: its functions call functions of the program, which are walked with what these pass. SciPy itself is not called.

`tests/programs/test_scipy.py` compares what is said here with what SciPy does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.libraries.numpy.choices import evaluated
from ...engine.libraries.overlay import words
from ...engine.values import arrays
from ...engine.values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, is_anything, is_unknown
from .._describing import shape_of
from .calling import (
    FLOAT,
    Caller,
    dtype_of_point,
    float_of,
    of_number,
    passed_on,
    result_of,
    vector,
    with_items,
)

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

#: Methods of `minimize` that start from float32 and give float64, and those that keep it. Of others the steps decide.
WIDENING, KEEPING = "l-bfgs-b", "nelder-mead"
METHODS = words(
    """
    nelder-mead powell cg bfgs newton-cg l-bfgs-b tnc cobyla cobyqa slsqp trust-constr dogleg trust-ncg trust-exact
    trust-krylov
    """
)
#: The parameter by which `minimize` knows a callback that takes a whole result.
RESULT = "intermediate_result"


def minimize(natives: Natives) -> Callable[..., Any]:
    call = Caller(natives)

    def function(
        fun: Any = UNKNOWN,
        x0: Any = UNKNOWN,
        args: Any = (),
        method: Any = None,
        jac: Any = None,
        hess: Any = None,
        hessp: Any = None,
        bounds: Any = None,
        constraints: Any = (),
        tol: Any = None,
        callback: Any = None,
        options: Any = None,
    ) -> Any:
        start, rest = vector(x0), passed_on(args)
        if start is None or rest is None:
            natives.interpreter.havoc([fun, jac, hess, hessp, constraints, callback, args])
            return UNKNOWN
        passed = NumpyArray(dtype_of_point(start), start.dims)
        name = _method(method, bounds, constraints)
        is_double = passed.np_dtype == FLOAT
        if not is_double and name not in (WIDENING, KEEPING):
            passed = NumpyArray(None, start.dims)
        call(fun, passed, *rest)
        for each in (jac, hess):
            call(each, passed, *rest)
        call(hessp, passed, passed, *rest)
        _constrained(call, constraints, passed)
        if call.parameters(callback) == [RESULT]:
            call(callback, UNKNOWN)
        else:
            point = float_of(start, FLOAT if is_double else None)
            call(callback, point, *([UNKNOWN] if name == "trust-constr" else []))
        x = FLOAT if is_double or name == WIDENING else passed.np_dtype
        return with_items(
            natives, result_of(x=float_of(start, x), fun=UNKNOWN, success=UNKNOWN, nfev=UNKNOWN)
        )

    return function


def _method(method: Any, bounds: Any, constraints: Any) -> str | None:
    """The method of `minimize`, in small letters; None if it is not known."""
    if method is None:
        has_constraints = is_unknown(constraints) or (constraints is not None and constraints not in ((), []))
        if is_unknown(constraints) or is_unknown(bounds):
            return None
        return "slsqp" if has_constraints else "bfgs" if bounds is None else "l-bfgs-b"
    name = method.lower() if type(method) is str else None
    return name if name in METHODS else None


def _constrained(call: Caller, constraints: Any, point: NumpyArray) -> None:
    """Walk the functions of constraints, which are in dicts."""
    for each in constraints if type(constraints) in (tuple, list) else [constraints]:
        if type(each) is dict:
            rest = passed_on(each.get("args", ()))
            for name in ("fun", "jac"):
                if rest is not None:
                    call(each.get(name), point, *rest)
        elif each is not None:
            call.natives.interpreter.havoc([each])


def curve_fit(natives: Natives) -> Callable[..., Any]:
    call = Caller(natives)

    def function(
        f: Any = UNKNOWN,
        xdata: Any = UNKNOWN,
        ydata: Any = UNKNOWN,
        p0: Any = None,
        *_: Any,
        full_output: Any = False,
        jac: Any = None,
        **__: Any,
    ) -> Any:
        start = None if p0 is None else vector(p0)
        if p0 is None:
            names = call.parameters(f)
            count = None if names is None else len(names) - 1
        else:
            count = None if start is None or start.dims is None else start.dims[0]
        x = xdata
        if not arrays.is_jax(xdata):
            x = UNKNOWN if is_anything(xdata) else evaluated(np.asarray, [xdata], {"dtype": FLOAT})
        # Those that it starts from have their own dtype.
        is_double = p0 is None or (start is not None and start.np_dtype == FLOAT)
        number = NumpyArray(FLOAT if is_double else None, ())
        if type(count) is int:
            call(f, x, *[number] * count)
            call(jac, x, *[number] * count)
        else:
            natives.interpreter.havoc([f, jac])
        if full_output is not False:
            return UNKNOWN
        return NumpyArray(FLOAT, (count,)), NumpyArray(FLOAT, (count, count))

    return function


def least_squares(natives: Natives) -> Callable[..., Any]:
    call = Caller(natives)

    def function(
        fun: Any = UNKNOWN,
        x0: Any = UNKNOWN,
        jac: Any = "2-point",
        *others: Any,
        args: Any = (),
        kwargs: Any = None,
        **_: Any,
    ) -> Any:
        start, rest = vector(x0), passed_on(args)
        if start is None or rest is None or kwargs or others:
            natives.interpreter.havoc([fun, jac, args, kwargs, others])
            return UNKNOWN
        point = float_of(start)
        given_back = call(fun, point, *rest)
        call(jac, point, *rest)
        shape = shape_of(given_back)
        rows = shape[0] if shape is not None and len(shape) == 1 and type(shape[0]) is int else None
        return with_items(
            natives,
            result_of(
                x=point,
                fun=NumpyArray(FLOAT, (rows,)),
                grad=point,
                cost=NumpyArray(FLOAT, ()),
                optimality=NumpyArray(FLOAT, ()),
                njev=UNKNOWN,
                nit=UNKNOWN,
                nhev=UNKNOWN,
            ),
        )

    return function


def root(natives: Natives) -> Callable[..., Any]:
    call = Caller(natives)

    def function(
        fun: Any = UNKNOWN,
        x0: Any = UNKNOWN,
        args: Any = (),
        method: Any = "hybr",
        jac: Any = None,
        *_: Any,
        **__: Any,
    ) -> Any:
        start, rest = vector(x0), passed_on(args)
        if start is None or rest is None:
            natives.interpreter.havoc([fun, jac, args])
            return UNKNOWN
        is_double = dtype_of_point(start) == FLOAT
        point = float_of(start, FLOAT if is_double else None)
        call(fun, point, *rest)
        call(jac, point, *rest)
        is_wide = is_double or method in ("hybr", "lm")
        x = float_of(start, FLOAT if is_wide else None)
        return with_items(natives, result_of(x=x, fun=x if is_double else UNKNOWN, nit=UNKNOWN, njev=UNKNOWN))

    return function


def solve(natives: Natives) -> Callable[..., Any]:
    """``fsolve``, and all that gives an array of the parameters alone."""
    call = Caller(natives)

    def function(
        func: Any = UNKNOWN,
        x0: Any = UNKNOWN,
        args: Any = (),
        fprime: Any = None,
        *others: Any,
        **options: Any,
    ) -> Any:
        start, rest = vector(x0), passed_on(args)
        if (
            start is None
            or rest is None
            or others
            or {"full_output", "retall", "callback", "col_deriv"} & options.keys()
        ):
            natives.interpreter.havoc([func, fprime, args, *others, *options.values()])
            return UNKNOWN
        point = float_of(start, FLOAT if dtype_of_point(start) == FLOAT else None)
        call(func, point, *rest)
        call(fprime, point, *rest)
        return point if point.np_dtype == FLOAT else float_of(start, None)

    return function


def of_bounds(natives: Natives) -> Callable[..., Any]:
    """``differential_evolution`` and ``dual_annealing``, which search a box."""
    call = Caller(natives)

    def function(
        func: Any = UNKNOWN, bounds: Any = UNKNOWN, args: Any = (), *others: Any, **options: Any
    ) -> Any:
        rest = passed_on(args)
        if (
            rest is None
            or others
            or {"vectorized", "callback", "x0", "constraints", "workers", "integrality"} & options.keys()
        ):
            natives.interpreter.havoc([func, args, *others, *options.values()])
            return UNKNOWN
        shape = (len(bounds), 2) if type(bounds) in (list, tuple) else shape_of(bounds)
        point = NumpyArray(FLOAT, (shape[0] if shape and type(shape[0]) is int else None,))
        call(func, point, *rest)
        return with_items(natives, result_of(x=point, fun=UNKNOWN, message=UNKNOWN))

    return function


def functions(natives: Natives) -> dict[str, Callable[..., Any]]:
    """What is called in place of functions, by their paths."""

    def number() -> Any:
        return AbstractScalar(float)

    def of_numpy() -> Any:
        return NumpyArray(FLOAT, ())

    made = {
        "minimize": minimize(natives),
        "curve_fit": curve_fit(natives),
        "least_squares": least_squares(natives),
        "root": root(natives),
        "fsolve": solve(natives),
        "fmin": solve(natives),
        "fmin_bfgs": solve(natives),
        "differential_evolution": of_bounds(natives),
        "dual_annealing": of_bounds(natives),
        **dict.fromkeys(("brentq", "brenth", "ridder", "bisect"), of_number(natives, number, number)),
        "fminbound": of_number(natives, of_numpy, of_numpy),
    }
    return {f"scipy.optimize.{name}": function for name, function in made.items()}
