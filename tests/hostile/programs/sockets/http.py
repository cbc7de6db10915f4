"""connection: a page is fetched."""

import http.client
import urllib.request

connection = http.client.HTTPConnection("127.0.0.1", 49151, timeout=0.2)
try:
    connection.request("GET", "/")
    connection.getresponse()
except Exception:
    pass
try:
    urllib.request.urlopen("http://127.0.0.1:49151/", timeout=0.2)
except Exception:
    pass
