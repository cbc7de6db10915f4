"""file: a configuration of logging names a function and its arguments."""

import logging.config

logging.config.dictConfig(
    {"version": 1, "handlers": {"h": {"()": "os.mkdir", "path": "pwned_logging_factory"}}, "root": {"handlers": ["h"]}}
)
