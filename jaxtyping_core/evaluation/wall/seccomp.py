"""seccomp (https://docs.kernel.org/userspace-api/seccomp_filter.html): system calls that have an effect are refused.

The list names what is refused, not what is allowed: NumPy, XLA and the C library change which harmless calls they make, and the
calls that have an effect are a short list that seldom changes. Calls newer than the list are refused as unknown.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable, Sequence

from .system_calls import ARCHITECTURES, NEWEST, REFUSED, WITH_CONDITIONS, call, machine, number_of

#: `prctl` by which a process and its children can gain no rights; a filter needs it.
NO_NEW_PRIVILEGES = 38
SET_FILTER, ALL_THREADS = 1, 1
PERMISSION, NO_SUCH_CALL = 1, 38
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
#: Instructions of the filter's machine: load, jump if equal, if greater, if a bit is set; return.
LOAD, EQUAL, GREATER, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
#: Where the data of a call are: its number, the architecture, and the low halves of its arguments.
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
#: As many instructions as a jump reaches.
FARTHEST = 200

THREAD = 0x00010000
TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
#: TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, TCGETS2
IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5451, 0x5450, 0x802C542A)
#: PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, PR_CAPBSET_READ, PR_GET_DUMPABLE, PR_GET_TIMERSLACK
PRCTLS = (15, 16, 0x53564D41, 23, 3, 30)
#: F_SETFL, F_SETLK, F_SETLKW, F_SETOWN, F_SETSIG, F_SETOWN_EX, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE, F_NOTIFY
FCNTLS_REFUSED = (4, 6, 7, 8, 10, 15, 37, 38, 1024, 1026)

Instruction = tuple[int, int, int, int]


def forbid_new_privileges() -> None:
    """Let this process gain no rights any more, which the kernel asks for before it takes restrictions from it.

    Raises:
        OSError: the kernel does not know of that.
    """
    call("no new privileges", number_of("prctl"), NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def restrict() -> None:
    """Refuse system calls from now on, in all threads.

    Raises:
        OSError: the kernel has no seccomp, or there is no list for this machine.
    """
    code = program(machine(), os.getpid())
    text = b"".join(struct.pack("=HBBI", *instruction) for instruction in code)
    buffer = ctypes.create_string_buffer(text, len(text))
    head = _Program(len(code), ctypes.cast(buffer, ctypes.c_void_p))
    call("seccomp", number_of("seccomp"), SET_FILTER, ALL_THREADS, ctypes.byref(head))


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def program(architecture: str, pid: int) -> list[Instruction]:
    """The filter for a machine and the process `pid`."""
    code = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, ARCHITECTURES[architecture]),  # calls of another one have other numbers
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (GREATER, 0, 1, NEWEST),
        _refuse(NO_SUCH_CALL),
    ]
    for name, body in _conditions(pid).items():
        number = number_of(name, architecture)
        if number is not None:
            code += [(EQUAL, 0, len(body), number), *body]
    # Each is refused by its number alone: of these the kernel remembers its verdict, so that a long list costs nothing.
    numbers = sorted(number for name in REFUSED if (number := number_of(name, architecture)) is not None)
    for start in range(0, len(numbers), FARTHEST):
        piece = numbers[start : start + FARTHEST]
        code += [(EQUAL, len(piece) - i, 0, number) for i, number in enumerate(piece)]
        code += [(EQUAL, 1, 1, 0), _refuse(PERMISSION)]
    return [*code, (RETURN, 0, 0, ALLOW)]


def _conditions(pid: int) -> dict[str, Sequence[Instruction]]:
    """What becomes of the calls that are refused for some arguments only; each part ends in a verdict."""
    bodies: dict[str, Sequence[Instruction]] = {
        "openat": _without_bits(2, TO_WRITE),
        "open": _without_bits(1, TO_WRITE),
        # Their arguments are in memory, which a filter cannot read. The C library falls back to the older calls.
        "openat2": [_refuse(NO_SUCH_CALL)],
        "clone3": [_refuse(NO_SUCH_CALL)],
        "clone": [_load(0), (ANY_BIT, 0, 1, THREAD), (RETURN, 0, 0, ALLOW), _refuse(PERMISSION)],
        "kill": _one_of(0, [pid]),
        "tgkill": _one_of(0, [pid]),  # `abort`, and signals between threads
        "sched_setaffinity": _one_of(0, [0, pid]),
        "prctl": _one_of(0, PRCTLS),
        "ioctl": _one_of(1, IOCTLS),
        "fcntl": _none_of(1, FCNTLS_REFUSED),
        # To read limits, the pointer to new ones is null: both halves of it.
        "prlimit64": [
            *(_load(2), (EQUAL, 0, 2, 0), (LOAD, 0, 0, ARGUMENTS + 8 * 2 + 4), (EQUAL, 1, 0, 0)),
            *(_refuse(PERMISSION), (RETURN, 0, 0, ALLOW)),
        ],
    }
    assert bodies.keys() == WITH_CONDITIONS
    return bodies


def _refuse(error: int) -> Instruction:
    return RETURN, 0, 0, ERROR | error


def _load(argument: int) -> Instruction:
    return LOAD, 0, 0, ARGUMENTS + 8 * argument


def _without_bits(argument: int, bits: int) -> list[Instruction]:
    return [_load(argument), (ANY_BIT, 0, 1, bits), _refuse(PERMISSION), (RETURN, 0, 0, ALLOW)]


def _compared(
    argument: int, values: Iterable[int], same: Instruction, other: Instruction
) -> list[Instruction]:
    several = list(values)
    tests = [(EQUAL, len(several) - i, 0, value) for i, value in enumerate(several)]
    return [_load(argument), *tests, other, same]


def _one_of(argument: int, values: Iterable[int]) -> list[Instruction]:
    return _compared(argument, values, (RETURN, 0, 0, ALLOW), _refuse(PERMISSION))


def _none_of(argument: int, values: Iterable[int]) -> list[Instruction]:
    return _compared(argument, values, _refuse(PERMISSION), (RETURN, 0, 0, ALLOW))
