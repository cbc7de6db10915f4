import jax
import jax.numpy as jnp
from distreqx import distributions

d = distributions.Normal(jnp.zeros(3), jnp.ones(3))
s = d.sample(jax.random.key(0))
lp = d.log_prob(s)
c = distributions.Categorical(logits=jnp.zeros((4,)))
cs = c.sample(jax.random.key(1))
e = c.entropy()
