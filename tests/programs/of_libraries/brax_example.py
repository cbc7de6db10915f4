import jax
import jax.numpy as jnp
from brax import envs

env = envs.get_environment("reacher", backend="generalized")
state = jax.jit(env.reset)(jax.random.PRNGKey(0))
obs = state.obs
n = env.action_size
state = jax.jit(env.step)(state, jnp.zeros(n))
reward = state.reward
size = env.observation_size
z = jnp.zeros((size,))

wrapped = envs.training.wrap(env, episode_length=100, action_repeat=1)
states = wrapped.reset(jax.random.split(jax.random.PRNGKey(1), 8))
batch_obs = states.obs


def rollout(state, _):
    state = wrapped.step(state, jnp.zeros((8, wrapped.action_size)))
    return state, state.reward


_, rewards = jax.lax.scan(rollout, states, length=5)
