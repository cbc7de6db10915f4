"""file: timeit, code and cProfile run texts."""

import code
import cProfile
import timeit

x = timeit.timeit("open('pwned_timeit_statement', 'w').close()", number=1)
code.InteractiveInterpreter().runsource("open('pwned_timeit_statement_code', 'w').close()")
cProfile.run("open('pwned_timeit_statement_profile', 'w').close()")
