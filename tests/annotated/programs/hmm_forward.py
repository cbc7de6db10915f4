"""The forward pass and the most likely path of a hidden Markov model."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.special import logsumexp
from jaxtyping import Array, Float, Int


class HMM(eqx.Module):
    log_initial: Float[Array, "states"]
    log_transition: Float[Array, "states states"]
    log_emission: Float[Array, "states symbols"]


def forward(hmm: HMM, observed: Int[Array, "time"]) -> tuple[Float[Array, "time states"], Float[Array, ""]]:
    def step(
        alpha: Float[Array, "states"], symbol: Int[Array, ""]
    ) -> tuple[Float[Array, "states"], Float[Array, "states"]]:
        predicted = logsumexp(alpha[:, None] + hmm.log_transition, axis=0)
        alpha = predicted + hmm.log_emission[:, symbol]
        return alpha, alpha

    alpha0 = hmm.log_initial + hmm.log_emission[:, observed[0]]
    last, rest = lax.scan(step, alpha0, observed[1:])
    return jnp.concatenate([alpha0[None], rest]), logsumexp(last)


def viterbi(hmm: HMM, observed: Int[Array, "time"]) -> Int[Array, "time"]:
    def step(
        delta: Float[Array, "states"], symbol: Int[Array, ""]
    ) -> tuple[Float[Array, "states"], Int[Array, "states"]]:
        scores = delta[:, None] + hmm.log_transition
        return scores.max(axis=0) + hmm.log_emission[:, symbol], jnp.argmax(scores, axis=0)

    def backtrack(
        state: Int[Array, ""], pointer: Int[Array, "states"]
    ) -> tuple[Int[Array, ""], Int[Array, ""]]:
        return pointer[state], state

    delta0 = hmm.log_initial + hmm.log_emission[:, observed[0]]
    delta, pointers = lax.scan(step, delta0, observed[1:])
    first, path = lax.scan(backtrack, jnp.argmax(delta), pointers, reverse=True)
    return jnp.concatenate([first[None], path])


initial_key, transition_key, emission_key = jax.random.split(jax.random.key(0), 3)
hmm = HMM(
    jax.nn.log_softmax(jax.random.normal(initial_key, (4,))),
    jax.nn.log_softmax(jax.random.normal(transition_key, (4, 4))),
    jax.nn.log_softmax(jax.random.normal(emission_key, (4, 6))),
)
observed = jnp.array([0, 5, 2, 2, 1, 3, 4])
alphas, evidence = forward(hmm, observed)
print(evidence, viterbi(hmm, observed))
