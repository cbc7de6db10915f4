"""file: tempfile makes one and keeps it."""

import tempfile

file = tempfile.NamedTemporaryFile(dir=".", prefix="pwned_tempfile_named", delete=False)
folder = tempfile.mkdtemp(dir=".", prefix="pwned_tempfile_named_dir")
