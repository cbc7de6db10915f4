"""time: breakpoint waits for a person."""

breakpoint()
x = 1
