"""connection: a mail is sent."""

import smtplib

try:
    smtplib.SMTP("127.0.0.1", 49151, timeout=0.2)
except Exception:
    pass
