"""file: re.sub calls what it is given; so does a scanner."""

import re

x = re.sub("pwned_regex_callback", lambda match: open(match.group(), "w").name, "pwned_regex_callback")
