"""file: a log is written, and pictures."""

import logging

handler = logging.FileHandler("pwned_of_logging")
logging.getLogger("pwned").addHandler(handler)
logging.getLogger("pwned").error("x")
handler.close()
