"""file: modules that trusted modules have imported for themselves."""

import contextlib
import dataclasses
import enum
import typing

x = dataclasses.sys.modules["os"].open("pwned_modules_of_modules", 65)
y = contextlib.os.open("pwned_modules_of_modules_too", 65)
z = enum.bltns.open("pwned_modules_of_modules_three", "w")
