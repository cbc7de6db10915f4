"""forged: the list of notes gets one, through the objects that the garbage collector knows."""

import gc

for each in gc.get_objects():
    if type(each).__name__ == "Machine":
        each.note("pwned_" + "told")
