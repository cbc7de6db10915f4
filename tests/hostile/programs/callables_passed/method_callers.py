"""file: operator's callers, and attributes that are computed."""

import operator
import os
import pathlib

a = operator.methodcaller("mkdir")(pathlib.Path("pwned_method_callers"))
b = operator.call(os.mkdir, "pwned_method_callers_call")
c = operator.attrgetter("path.os.mkdir")(os)("pwned_method_callers_getter")
d = getattr(os, "mk" + "dir")("pwned_method_callers_getattr")
