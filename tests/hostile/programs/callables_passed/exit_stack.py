"""file: what an ExitStack calls at its end, and a decorator that is a context."""

import contextlib
import os


@contextlib.contextmanager
def around():
    os.mkdir("pwned_exit_stack_around")
    yield


class Closing:
    def close(self):
        os.mkdir("pwned_exit_stack_closing")


with contextlib.ExitStack() as stack:
    stack.callback(os.mkdir, "pwned_exit_stack")
    stack.push(lambda *error: os.mkdir("pwned_exit_stack_push"))
    stack.enter_context(contextlib.closing(Closing()))
with around():
    pass
