"""file: logging writes."""

import logging

logging.basicConfig(filename="pwned_logging_handler_basic", level=logging.DEBUG)
handler = logging.FileHandler("pwned_logging_handler")
logging.getLogger("x").addHandler(handler)
logging.getLogger("x").error("x")
