"""file: sort, min, heapq and bisect call their keys."""

import bisect
import heapq
import os

names = ["pwned_key_functions"]
names.sort(key=os.mkdir)
a = sorted(["pwned_key_functions_sorted"], key=os.mkdir)
b = heapq.nsmallest(2, ["pwned_key_functions_smallest", "pwned_key_functions_more"], key=os.mkdir)
d = min(["pwned_key_functions_min", "pwned_key_functions_minimum"], key=os.mkdir)
try:
    c = bisect.bisect_left(["pwned_key_functions_bisect"], 0, key=os.mkdir)
except TypeError:
    pass
e = [*heapq.merge(["pwned_key_functions_merge"], ["pwned_key_functions_merged"], key=os.mkdir)]
