import jax
import jax.numpy as jnp
import xminigrid

env, env_params = xminigrid.make("MiniGrid-Empty-5x5")
timestep = jax.jit(env.reset)(env_params, jax.random.key(0))
obs = timestep.observation
timestep = jax.jit(env.step)(env_params, timestep, action=0)
reward = timestep.reward
n = env.num_actions(env_params)
z = jnp.zeros((n,))
