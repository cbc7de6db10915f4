"""How many samples prove something, and how many are tried at most."""

from __future__ import annotations

# How many samples must be accepted for something to be believed; `proof` says of what.

#: Different sizes for the unknown dims of a call.
FEWEST_SIZES = 2
#: Further choices of sizes for a formula.
FEWEST_FOR_FORMULA = 3
#: Accepted samples of an unknown argument: the result of a single one may be chance.
FEWEST_OF_ANYTHING = 4
#: Of `FILLS`.
FEWEST_FILLED = 3
#: Samples of the only array, for each dtype and each rank; of several arrays, the places are tried one by one as well.
ENOUGH_OF_EACH = 2
#: Samples of different dtypes, which have different sizes in memory: a result has the dims that it has for all of them.
ENOUGH_DTYPES = 5
#: Different sizes that were the same as another's for it to be that.
ENOUGH_SOURCES = 3
#: Sizes under which the same difference must show that JAX's messages led to.
FEWEST_SOLVED = 2
#: Choices of ints that are made up with which a proof is looked at again.
FEWEST_CONFIRMED = 2

# Limits of one abstract call.

#: Draws that show whether anything is known of a result, before more sizes are tried: one of each rank and kind of numbers.
FIRST_DRAWS = 4

#: Choices of sizes for the unknown dims, and those after which fewer are tried if enough are accepted.
MOST_SIZE_CHOICES, MOST_SIZES = 30, 12
#: Bools of unknown value in one call that are chosen apart.
MOST_BOOLS = 3
#: Samples for parts that are no arrays, and of unequal arrays where no equal ones are accepted.
MOST_OTHERS, MOST_MIXED = 16, 32
#: Samples of equal arrays that are all refused, after which no more are tried.
MOST_REFUSED = 24
#: Dims and samples of a call whose refusal is to be the same for every sample.
MOST_REFUSED_DIMS, MOST_REFUSED_SAMPLES = 12, 120
#: Ranks with which dtypes after the first are tried of such a call.
FEW_REFUSED_RANKS = 3
#: Symbols of a call whose sizes are looked into for formulas: the terms grow with the square of it.
MOST_FORMULA_SYMBOLS = 4
#: What a size is divided by at most in a formula, and what it is made a multiple of.
MOST_PARTS, MULTIPLES = 64, (2, 4, 8)
#: Samples of a call in a program: as many as there are dtypes, ranks and sizes for one array.
MOST_SAMPLES = 270
#: Samples where more than `MOST_SAMPLES` are possible. A part of the samples can only prove that the result is unknown, or
#: the same for all of them. Both show early.
MOST_OF_MANY = 90
#: Unknown arrays of a call of which some are tried with another dtype, or another rank, than the rest: there are 14 ways for four.
MOST_UNLIKE_ARRAYS = 4
#: Samples that are refused with the same words, after which no more are tried: it is for another reason than what they are.
ALIKE = 12
#: Sizes that JAX's and NumPy's messages name, which are tried.
MOST_NAMED = 8
#: Steps of the walk that samples may take, and the same where none is accepted: loops of JAX, most of all, take nothing
#: that is made up for several arguments.
MOST_STEPS, MOST_STEPS_IN_VAIN = 3000, 1000
#: Steps of one sample that are many: it walks functions of the program within functions of the program.
MANY_STEPS = 500
#: Symbols of which each is tried as another size than the others.
MOST_VARIED_SYMBOLS = 12
#: Samples of a call of a layer, for each of `LAYER_SIZES`.
MOST_LAYER_SAMPLES = 160
#: Items of an array that stands in for one of NumPy; the same of one that is really computed with.
MOST_ITEMS, MOST_COMPUTED_ITEMS = 1_000_000, 20_000
#: Multiplications that a product of matrices may take.
MOST_PRODUCTS = 200_000_000
#: Walks of the body of a loop: what it makes of an unknown leaf is what that has been, and may make more known.
MOST_LOOP_ROUNDS = 3
#: Sizes among which the smallest are looked for that show a contradiction.
MOST_SEARCHED = 150
#: Calls in place of one with unions and lists of unknown length.
MOST_UNION_CHOICES = 20
#: Answers that a process remembers.
MOST_REMEMBERED = 50_000
#: Sizes of a layer's parameters and arguments that are tried.
MOST_LAYER_SIZES = 6
#: Of `DEVICE_FACTORS`.
MOST_DEVICE_FACTORS = 3

# Limits of the calls that verify one function.

#: Choices that annotations leave, such as dtypes and ranks, and choices of what is made up.
MOST_DECLARED_CHOICES, MOST_MADE_UP = 12, 6
#: Dtypes of a declared array, and dtypes of a kind of which `DTYPES_OF_KIND` has none.
MOST_DECLARED_DTYPES, MOST_UNLISTED_DTYPES = 4, 2
#: Calls with sizes that the message of a refusal names.
MOST_HINTED = 12
#: Numbers that are read in such a message and sizes that come of them; a larger number is no size.
MOST_READ, LARGEST_READ = 12, 4999
#: Names of which each is 1 alone.
MOST_ONES = 6
#: Draws of different sizes, and of special ones, where another choice has had them all.
FEW_DRAWS = 3
#: Recorded calls that are made again.
MOST_REPLAYED = 8
#: Calls, one after the other, with the sizes that the message about the last one asks for.
MOST_SOLVING_STEPS = 8
#: Calls that take too long.
MOST_SLOW = 2
#: Items of an array that is really made.
MOST_ELEMENTS = 100_000
#: Keys of dicts that a program may ask for.
MOST_KEYS = 16
#: Functions of the program that are tried for one parameter.
MOST_PASSED = 3

# Limits of the walks that tell which sizes of a function are one.

#: Calls of a function of which one is looked for that walks can make again, and walks through the function.
MOST_CALLS_WALKED, MOST_WALKS = 3, 80
#: Sizes in a tree, all the same, that are looked at one by one.
MOST_TREE_SLOTS = 6
#: Objects in a call whose fields are told apart although they have the same names for sizes.
MOST_LIKE_OBJECTS = 4
#: Units of one size of which two others are tried in all combinations.
MOST_PAIRED_UNITS = 6
