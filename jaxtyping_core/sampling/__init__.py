"""Sampling: abstract arguments become concrete ones, a function is called, and the results are generalized.

`tables` holds what unknown parts are tried as, and every limit; `proof` decides what accepted and refused samples prove;
`calls` has `abstract_call`, and `memo` the answers that are kept. These import no JAX: the plugin and `verify` use them, too.
The other modules answer questions about single calls of JAX, in the evaluation child: `queries` is what it calls, `concretize`
and `choices` make samples, `attempts` calls, `generalize` says what results have in common, and `errors` what an exception says.
"""
