"""file: sqlite, dbm and shelve make files."""

import dbm.dumb
import shelve
import sqlite3

sqlite3.connect("pwned_of_databases").execute("create table t (a)").connection.close()
dbm.dumb.open("pwned_of_databases_dbm", "c").close()
