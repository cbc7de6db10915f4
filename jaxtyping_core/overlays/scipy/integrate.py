"""`scipy.integrate`: its functions call functions of the program, which are walked with what these pass. SciPy itself is not called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...engine.values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, is_unknown
from .calling import FLOAT, Caller, float_of, of_number, passed_on, result_of, vector, with_items

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives


def odeint(natives: Natives) -> Callable[..., Any]:
    call = Caller(natives)

    def function(
        func: Any = UNKNOWN,
        y0: Any = UNKNOWN,
        t: Any = UNKNOWN,
        args: Any = (),
        Dfun: Any = None,  # noqa: N803  # its name in the library
        *others: Any,
        tfirst: Any = False,
        full_output: Any = 0,
        **_: Any,
    ) -> Any:
        start, times, rest = vector(y0), vector(t), passed_on(args)
        if (
            start is None
            or rest is None
            or others
            or is_unknown(tfirst)
            or is_unknown(full_output)
            or full_output
        ):
            natives.interpreter.havoc([func, Dfun, args])
            return UNKNOWN
        pair = [float_of(start), AbstractScalar(float)]
        for each in (func, Dfun):
            call(each, *(reversed(pair) if tfirst else pair), *rest)
        return NumpyArray(
            FLOAT, ((times.dims or (None,))[0] if times is not None else None, (start.dims or (None,))[0])
        )

    return function


def solve_ivp(natives: Natives) -> Callable[..., Any]:
    call = Caller(natives)

    def function(
        fun: Any = UNKNOWN,
        t_span: Any = UNKNOWN,
        y0: Any = UNKNOWN,
        method: Any = "RK45",
        t_eval: Any = None,
        dense_output: Any = False,
        events: Any = None,
        vectorized: Any = False,
        args: Any = None,
        **options: Any,
    ) -> Any:
        start, rest = vector(y0), [] if args is None else passed_on(args)
        is_real = start is not None and start.np_dtype is not None and start.np_dtype.kind in "biuf"
        if start is None or not is_real or rest is None or vectorized is not False:
            natives.interpreter.havoc([fun, events, args, *options.values()])
            return UNKNOWN
        point = float_of(start)
        time = NumpyArray(None, ())  # of Python or of NumPy
        for each in (fun, options.get("jac"), *(events if type(events) in (list, tuple) else [events])):
            call(each, time, point, *rest)
        # A solver that fails gives what it has till then.
        return with_items(
            natives,
            result_of(
                t=NumpyArray(FLOAT, (None,)),
                y=NumpyArray(FLOAT, ((start.dims or (None,))[0], None)),
                njev=UNKNOWN,
                nit=UNKNOWN,
                nhev=UNKNOWN,
                sol=UNKNOWN,
            ),
        )

    return function


def functions(natives: Natives) -> dict[str, Callable[..., Any]]:
    """What is called in place of functions, by their paths."""

    def number() -> Any:
        return AbstractScalar(float)

    return {
        "scipy.integrate.quad": of_number(natives, number, lambda: (number(), number())),
        "scipy.integrate.odeint": odeint(natives),
        "scipy.integrate.solve_ivp": solve_ivp(natives),
    }
