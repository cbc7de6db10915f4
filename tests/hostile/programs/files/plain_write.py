"""file: a file is written in the folder and elsewhere."""

open("pwned_plain_write", "w").write("x")
open("OUT/pwned_plain_write", "xb").write(b"x")
open("pwned_plain_write_appended", "a+").close()
