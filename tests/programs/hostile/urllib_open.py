"""connection: urllib."""

import urllib.request

try:
    data = urllib.request.urlopen("http://127.0.0.1:49151/x", timeout=2).read()
except OSError:
    data = b""
