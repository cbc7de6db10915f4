"""connection: jax.distributed asks a coordinator."""

import jax

jax.distributed.initialize("127.0.0.1:49151", num_processes=2, process_id=1, initialization_timeout=2)
