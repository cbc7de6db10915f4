"""change: the limits of the parent become others; the file that is there tells of it."""

import os
import resource

resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0))
soft, hard = resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)
resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (soft - 1, hard))
open("CANARY_FILE", "w").write("the parent has fewer files")
