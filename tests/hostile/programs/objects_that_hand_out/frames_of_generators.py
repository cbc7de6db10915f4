"""file: the frame of a generator, a coroutine and the caller."""

import inspect
import sys


def generator():
    yield


sys._getframe().f_builtins["open"]("pwned_frames_of_generators", "w").close()
generator().gi_frame.f_builtins["open"]("pwned_frames_of_generators_generator", "w").close()
inspect.currentframe().f_globals["__builtins__"].open("pwned_frames_of_generators_inspect", "w").close()
