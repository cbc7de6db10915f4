import jax
from craftax.craftax_env import make_craftax_env_from_name

env = make_craftax_env_from_name("Craftax-Symbolic-v1", auto_reset=True)
params = env.default_params
rng, step_rng = jax.random.split(jax.random.PRNGKey(0))
obs, state = env.reset(rng, params)
obs2, state, reward, done, info = env.step(step_rng, state, 0, params)
