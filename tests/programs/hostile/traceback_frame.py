"""file: a traceback's frame."""

try:
    1 / 0
except ZeroDivisionError as error:
    frame = error.__traceback__.tb_frame
    x = frame.f_builtins["open"]("pwned_traceback_frame", "w")
