"""memory: each line of a text is indented by a text."""

import textwrap

x = textwrap.indent("a\n" * 40_000, "b" * 90_000)
x = textwrap.indent("a\n" * 45_000, x)
