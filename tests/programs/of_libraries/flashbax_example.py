import flashbax as fbx
import jax
import jax.numpy as jnp

buffer = fbx.make_flat_buffer(max_length=100, min_length=2, sample_batch_size=4)
timestep = {"obs": jnp.zeros(3), "reward": jnp.zeros(())}
state = buffer.init(timestep)
state = buffer.add(state, timestep)
state = buffer.add(state, timestep)
batch = buffer.sample(state, jax.random.PRNGKey(0))
first = batch.experience.first["obs"]
can = buffer.can_sample(state)
