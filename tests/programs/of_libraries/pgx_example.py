import jax
import jax.numpy as jnp
import pgx

env = pgx.make("tic_tac_toe")
init = jax.jit(jax.vmap(env.init))
step = jax.jit(jax.vmap(env.step))
keys = jax.random.split(jax.random.PRNGKey(0), 8)
state = init(keys)
obs = state.observation
mask = state.legal_action_mask
action = jnp.argmax(mask, axis=-1)
state = step(state, action)
rewards = state.rewards
n = env.num_actions
logits = jnp.zeros((8, n))
