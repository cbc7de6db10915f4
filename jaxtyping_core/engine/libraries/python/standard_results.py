"""What functions of Python's library give that depends on the machine or the time: of their results only the types are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...values.callables import Namespace
from ...values.unknowns import PURE_EXTERNAL, UNKNOWN, AbstractScalar

if TYPE_CHECKING:
    from ..natives import Natives

#: Functions by module and by what they give.
RESULTS: dict[str, dict[type, str]] = {
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
#: How classes of times make one, besides by a call.
MAKERS = "combine fromisoformat fromordinal fromtimestamp now strptime today utcfromtimestamp utcnow"


def namespaces(natives: Natives) -> dict[str, Any]:
    """These modules. A program sees nothing of their other names, which keep nothing of what they are passed."""
    made = {module: _module(**_gives(natives, names)) for module, names in RESULTS.items()}
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


def _times(natives: Natives) -> Namespace:
    """`datetime`."""
    time = Namespace(
        **_gives(natives, OF_TIMES), **dict.fromkeys(NUMBERS_OF_TIMES.split(), AbstractScalar(int))
    )
    time.names |= {"__add__": time, "__sub__": time}
    again = natives.function(lambda *_, **__: time)
    time.names |= dict.fromkeys(GIVE_TIMES.split(), again)
    makers: dict[str, Any] = dict.fromkeys(MAKERS.split(), again)
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
