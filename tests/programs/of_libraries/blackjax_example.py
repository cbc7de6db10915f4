import blackjax
import jax
import jax.numpy as jnp

data = jnp.arange(100.0) / 10


def logdensity(params):
    mu, log_sigma = params["mu"], params["log_sigma"]
    return jnp.sum(jax.scipy.stats.norm.logpdf(data, mu, jnp.exp(log_sigma)))


initial = {"mu": jnp.zeros(()), "log_sigma": jnp.zeros(())}
nuts = blackjax.nuts(logdensity, step_size=1e-2, inverse_mass_matrix=jnp.ones(2))
state = nuts.init(initial)
key, loop_key, warm_key, last_key = jax.random.split(jax.random.key(0), 4)
new_state, info = nuts.step(key, state)
acceptance = info.acceptance_rate


def inference_loop(rng_key, kernel, initial_state, num_samples):
    @jax.jit
    def one_step(state, rng_key):
        state, info = kernel(rng_key, state)
        return state, (state, info)

    keys = jax.random.split(rng_key, num_samples)
    _, (states, infos) = jax.lax.scan(one_step, initial_state, keys)
    return states, infos


states, infos = inference_loop(loop_key, nuts.step, state, 20)
mus = states.position["mu"]
mean = mus.mean()
warmup = blackjax.window_adaptation(blackjax.nuts, logdensity)
(last, parameters), _ = warmup.run(warm_key, initial, 10)
step = parameters["step_size"]
hmc = blackjax.hmc(logdensity, 1e-3, jnp.ones(2), 10)
hstate = hmc.init(initial)
h2, _ = hmc.step(last_key, hstate)
pos = h2.position["mu"]
