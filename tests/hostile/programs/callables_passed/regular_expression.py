"""file: a replacement of a regular expression is called, and a weak reference calls at the end."""

import os
import re
import weakref

x = re.sub("pwned.*", lambda found: os.mkdir(found.group()) or "", "pwned_regular_expression")


class Held:
    pass


held = Held()
weakref.finalize(held, os.mkdir, "pwned_regular_expression_weak")
del held
