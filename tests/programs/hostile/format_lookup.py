"""file: formatting reads attributes, which are properties that write."""

import string


class Value:
    @property
    def size(self):
        open("pwned_format_lookup", "w").close()
        return 3


value = Value()
x = "{0.size} {v.size}".format(value, v=value)
y = "{size}".format_map({"size": value.size})
function, _ = string.Formatter().get_field("0.__init__.__globals__", (string.Template,), {})
z = function["__builtins__"]["open"]("pwned_format_lookup_formatter", "w")
