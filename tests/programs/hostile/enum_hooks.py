"""file: an enumeration calls _generate_next_value_ and _missing_."""

import enum


class Mode(enum.Enum):
    def _generate_next_value_(name, start, count, last):
        open("pwned_enum_hooks", "w").close()
        return count

    @classmethod
    def _missing_(cls, value):
        open("pwned_enum_hooks_missing", "w").close()
        return cls.TRAIN

    TRAIN = enum.auto()
    EVAL = enum.auto()


x = Mode("no such")
