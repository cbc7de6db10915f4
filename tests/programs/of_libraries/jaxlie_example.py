import jax.numpy as jnp
import jaxlie

T = jaxlie.SE3.exp(jnp.zeros(6))
p = T @ jnp.ones(3)
m = T.as_matrix()
inv = T.inverse()
log = inv.log()
R = jaxlie.SO3.from_x_radians(0.5)
q = R.wxyz
