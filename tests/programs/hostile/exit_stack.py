"""file: contextlib calls at the end of a block."""

import contextlib

with contextlib.ExitStack() as stack:
    stack.callback(open, "pwned_exit_stack", "w")
    stack.enter_context(contextlib.closing(open("pwned_exit_stack_closing", "w")))


class Context(contextlib.ContextDecorator):
    def __enter__(self):
        open("pwned_exit_stack_enter", "w").close()

    def __exit__(self, *exc):
        open("pwned_exit_stack_exit", "w").close()


@Context()
def f():
    return 1


y = f()
