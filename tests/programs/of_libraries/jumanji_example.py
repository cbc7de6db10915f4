import jax
import jumanji

env = jumanji.make("Snake-v1")
key = jax.random.PRNGKey(0)
state, timestep = jax.jit(env.reset)(key)
action = env.action_spec.generate_value()
state, timestep = jax.jit(env.step)(state, action)
reward = timestep.reward
grid = timestep.observation.grid
