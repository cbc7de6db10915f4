"""time: the mean of a long range."""

import statistics

x = statistics.mean(range(10**12))
