"""What functions of Python's library give that depends on the machine, the time or chance: of their results only the types are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...language.sequences import items_of
from ...values.callables import Namespace
from ...values.unknowns import PURE_EXTERNAL, UNKNOWN, AbstractScalar, AbstractSequence
from ..numpy.random_numbers import shuffled

if TYPE_CHECKING:
    from ..natives import Natives

#: Functions by module and by what they give.
RESULTS: dict[str, dict[type, str]] = {
    "random": {
        float: """
            betavariate expovariate gammavariate gauss lognormvariate normalvariate paretovariate random triangular
            uniform vonmisesvariate weibullvariate
            """,
        int: "getrandbits randint randrange",
        bytes: "randbytes",
    },
    "secrets": {int: "randbelow randbits", bytes: "token_bytes", str: "token_hex token_urlsafe"},
    "platform": {
        str: "machine node platform processor python_implementation python_version release system version"
    },
    "socket": {str: "getfqdn gethostname"},
    "getpass": {str: "getpass getuser"},
}
#: What there is of a point in time, or of the time between two.
OF_TIMES: dict[type, str] = {
    float: "timestamp total_seconds",
    int: "isoweekday toordinal weekday",
    str: "ctime isoformat strftime",
}
NUMBERS_OF_TIMES = "day days hour microsecond microseconds minute month second seconds year"
GIVE_TIMES = "astimezone date replace"
#: Items that are chosen one by one at most.
MOST_CHOSEN = 1000
#: How classes of times make one, besides by a call.
MAKERS = "combine fromisoformat fromordinal fromtimestamp now strptime today utcfromtimestamp utcnow"


def namespaces(natives: Natives) -> dict[str, Any]:
    """These modules. A program sees nothing of their other names, which keep nothing of what they are passed."""
    made = {module: _module(**_gives(natives, names)) for module, names in RESULTS.items()}
    made["random"].names |= _choices(natives)
    made["random"].names["Random"] = made["random"].names["SystemRandom"] = natives.function(
        lambda *_: made["random"]
    )
    made["secrets"].names["choice"] = made["random"].names["choice"]
    return {**made, "datetime": _times(natives)}


def _module(**names: Any) -> Namespace:
    module = Namespace(**names)
    module.others = PURE_EXTERNAL
    return module


def _gives(natives: Natives, names: dict[type, str]) -> dict[str, Any]:
    """Functions that give numbers and texts of which only the types are known."""

    def giving(kind: type) -> Any:
        return natives.function(lambda *_, **__: AbstractScalar(kind))

    return {name: giving(kind) for kind, text in names.items() for name in text.split()}


def _choices(natives: Natives) -> dict[str, Any]:
    """Functions of `random` that give items of what they are passed, any of them."""
    interpreter = natives.interpreter

    def choice(population: Any = UNKNOWN) -> Any:
        return items_of(interpreter, population).item

    def many(population: Any, k: Any) -> Any:
        item = choice(population)
        return [item] * k if type(k) is int and 0 <= k <= MOST_CHOSEN else AbstractSequence(item)

    def choices(population: Any = UNKNOWN, *_: Any, k: Any = 1, **__: Any) -> Any:
        return many(population, k)

    def sample(population: Any = UNKNOWN, k: Any = UNKNOWN, **_: Any) -> Any:
        return many(population, k)

    functions: list[Callable[..., Any]] = [choice, choices, sample]
    return {
        **{function.__name__: natives.function(function) for function in functions},
        "seed": natives.function(lambda *_, **__: None),
        "shuffle": natives.function(shuffled(natives)),
    }


def _times(natives: Natives) -> Namespace:
    """`datetime`."""
    time = Namespace(
        **_gives(natives, OF_TIMES), **dict.fromkeys(NUMBERS_OF_TIMES.split(), AbstractScalar(int))
    )
    time.names |= {"__add__": time, "__sub__": time}
    again = natives.function(lambda *_, **__: time)
    time.names |= dict.fromkeys(GIVE_TIMES.split(), again)
    makers = dict.fromkeys(MAKERS.split(), again)
    return _module(
        **{name: natives.function(_Class(time, makers)) for name in ("date", "datetime", "timedelta")}
    )


class _Class:
    """A class of times. It holds what does not belong to the state of a program."""

    def __init__(self, time: Namespace, makers: dict[str, Any]) -> None:
        self._time, self._makers = time, makers

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self._time

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._makers.get(name, UNKNOWN)
