'''Claims about programs, each written once, and asked of all that tells something of programs.

A file of `cases/` holds programs. What stands before the first section is the head of each of them::

    """What the programs of this file are about."""
    import jax
    import jax.numpy as jnp


    # %% a product
    # argv: 3 4
    x = jnp.ones((3, 4)) @ jnp.ones(4)  # P: x: float32[3]
    y = x @ jnp.ones(5)  # E: shape

``# %% name`` begins a program. Directives may come in the lines after it, or in the head, where they hold for the whole file:

=====================================  ======================================================================================
``# only: engine, true - reason``      the clients that are asked
``# argv: 3 4``                        what ``sys.argv[1:]`` is where the program is run; a line for each run; else ``3``
``# unknown: jnp.ones(3)``             what a name is in a run that comes from the module `nowhere`, which isn't there; a line for each
``# one python``                       the program is tried under one Python alone
=====================================  ======================================================================================

Marks stand at the ends of lines; the lines of a program have the numbers that they have in the file.

``# P: x: float32[B, 3]; y: ?`` tells what is known of places of the line: names that it assigns to, or ``return``. An array is spelled
as messages spell it: ``weak int32[]``, ``?[?, 3]``, ``float32[...]``. It is ``maybe weak float32[3]`` where that
is not known, and ``?`` where nothing is. Of places that are not marked nothing is claimed.

``# E: shape`` is an error in the line: its kind, words of its message (``...`` is for any words), or both,
``# E: shape: got (3,) and``. There is no other error in the program than those that are marked.

A mark for some clients takes the place of the common one: ``# P(plugin): x: float32[...]``, ``# E(plugin): -``. mypy alone has no
errors of the kinds tracing, leak and donated: those are no marks for the plugin.

==========  =================================================================================================
client      what it is
==========  =================================================================================================
`engine`    the abstract interpreter, in an evaluation child
`plugin`    mypy with the plugin, which looks into functions without annotations
`show`      ``jaxtyping-core show --output-format json``
`server`    the language server: its hints, which are of what the engine knows, and its diagnostics
`true`      JAX itself: the program is run, and what its places hold must fit all marks of them
==========  =================================================================================================

==============  ===========================================================
module          what it does
==============  ===========================================================
`marks`         reads marks, and spells what they are about
`cases`         reads files of cases
`expected`      says what a client is to say, and writes what it says alike
`running`       runs a program
==============  ===========================================================
'''
