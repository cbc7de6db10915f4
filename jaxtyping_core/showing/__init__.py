"""Shows the source of programs with what is known of their arrays beside it.

`listing` puts the two together; `terminal`, `page` and `records` write it as text, as HTML and as JSON.
"""
