import jax
import jax.numpy as jnp
import mctx


def recurrent_fn(params, rng_key, action, embedding):
    out = mctx.RecurrentFnOutput(
        reward=jnp.zeros(4), discount=jnp.ones(4), prior_logits=jnp.zeros((4, 3)), value=jnp.zeros(4)
    )
    return out, embedding


root = mctx.RootFnOutput(prior_logits=jnp.zeros((4, 3)), value=jnp.zeros(4), embedding=jnp.zeros((4, 2)))
policy = mctx.muzero_policy(
    params=(), rng_key=jax.random.PRNGKey(0), root=root, recurrent_fn=recurrent_fn, num_simulations=8
)
action = policy.action
weights = policy.action_weights
