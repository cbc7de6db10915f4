"""file: print takes one."""

print("x", file=open("pwned_print_to_file", "w"))
