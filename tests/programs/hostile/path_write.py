"""file: pathlib writes, makes folders and links."""

from pathlib import Path

Path("pwned_path_write").write_text("x")
Path("pwned_path_write_dir").mkdir()
Path("pwned_path_write_link").symlink_to("/")
Path("pwned_path_write_touch").touch()
