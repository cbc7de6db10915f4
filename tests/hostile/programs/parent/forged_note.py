"""forged: the list of notes gets one, through the objects that the garbage collector knows."""

import gc

gc.unfreeze()
for each in gc.get_objects():
    if type(each).__name__ == "Machine":
        each.note("pwned_" + "told")
    if type(each) is dict and each.keys() >= {"places", "refusals", "complete"} and "notes" in each:
        each["notes"].append("pwned_" + "told")
