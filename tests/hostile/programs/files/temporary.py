"""file: temporary files in a folder that the program names."""

import tempfile

x = tempfile.mkdtemp(prefix="pwned_temporary", dir="OUT")
y = tempfile.NamedTemporaryFile(prefix="pwned_temporary", dir=".", delete=False)
y.close()
