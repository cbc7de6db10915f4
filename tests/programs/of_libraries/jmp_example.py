import jax.numpy as jnp
import jmp

policy = jmp.get_policy("params=float32,compute=float16,output=float32")
x = policy.cast_to_compute(jnp.ones((3, 4)))
y = policy.cast_to_output(x)
scale = jmp.DynamicLossScale(jnp.asarray(2.0**15))
scaled = scale.scale(jnp.ones(()))
half = jmp.half_dtype()
