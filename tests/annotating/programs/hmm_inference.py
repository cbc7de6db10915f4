"""Forward-backward and Viterbi for a hidden Markov model with discrete emissions."""

import sys
import typing as tp

import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp


class HMM(tp.NamedTuple):
    log_initial: jnp.ndarray
    log_transition: jnp.ndarray
    log_emission: jnp.ndarray


class Posterior(tp.NamedTuple):
    log_likelihood: jnp.ndarray
    marginals: jnp.ndarray


def random_hmm(key, num_states, num_symbols):
    k1, k2, k3 = jax.random.split(key, 3)
    return HMM(
        jax.nn.log_softmax(jax.random.normal(k1, (num_states,))),
        jax.nn.log_softmax(jax.random.normal(k2, (num_states, num_states))),
        jax.nn.log_softmax(2 * jax.random.normal(k3, (num_states, num_symbols))),
    )


def log_matvec(log_matrix, log_vector):
    return logsumexp(log_matrix + log_vector[None, :], axis=1)


def forward(hmm, observations):
    def step(log_alpha, symbol):
        predicted = log_matvec(hmm.log_transition.T, log_alpha)
        log_alpha = predicted + hmm.log_emission[:, symbol]
        return log_alpha, log_alpha

    first = hmm.log_initial + hmm.log_emission[:, observations[0]]
    _, rest = jax.lax.scan(step, first, observations[1:])
    return jnp.concatenate([first[None], rest])


def backward(hmm, observations):
    def step(log_beta, symbol):
        log_beta = log_matvec(hmm.log_transition, log_beta + hmm.log_emission[:, symbol])
        return log_beta, log_beta

    last = jnp.zeros_like(hmm.log_initial)
    _, rest = jax.lax.scan(step, last, observations[1:], reverse=True)
    return jnp.concatenate([rest, last[None]])


def infer(hmm, observations):
    log_alpha = forward(hmm, observations)
    log_beta = backward(hmm, observations)
    log_likelihood = logsumexp(log_alpha[-1])
    marginals = jnp.exp(log_alpha + log_beta - log_likelihood)
    return Posterior(log_likelihood, marginals)


def viterbi(hmm, observations):
    def step(scores, symbol):
        candidates = scores[:, None] + hmm.log_transition
        best = candidates.argmax(axis=0)
        return candidates.max(axis=0) + hmm.log_emission[:, symbol], best

    scores = hmm.log_initial + hmm.log_emission[:, observations[0]]
    scores, pointers = jax.lax.scan(step, scores, observations[1:])
    last = scores.argmax()

    def back(state, pointer):
        return pointer[state], state

    first, path = jax.lax.scan(back, last, pointers, reverse=True)
    return jnp.concatenate([first[None], path])


def simulate(key, hmm, length):
    k_first, k_rest = jax.random.split(key)

    def step(state, key):
        k1, k2 = jax.random.split(key)
        symbol = jax.random.categorical(k1, hmm.log_emission[state])
        return jax.random.categorical(k2, hmm.log_transition[state]), (state, symbol)

    state = jax.random.categorical(k_first, hmm.log_initial)
    _, (states, symbols) = jax.lax.scan(step, state, jax.random.split(k_rest, length))
    return states, symbols


def agreement(a, b):
    return (a == b).mean()


def main(length=40, num_states=4, num_symbols=4):
    k1, k2 = jax.random.split(jax.random.key(0))
    hmm = random_hmm(k1, num_states, num_symbols)
    states, symbols = simulate(k2, hmm, length)
    posterior = jax.jit(infer)(hmm, symbols)
    print(posterior.log_likelihood, agreement(posterior.marginals.argmax(1), states))
    print(agreement(viterbi(hmm, symbols), states))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
