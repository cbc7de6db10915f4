"""secret: sqlite says that it is no database; a zip and a configuration say where."""

import configparser

parser = configparser.ConfigParser()
try:
    parser.read("SECRET_FILE")
except configparser.Error as error:
    raise ValueError(str(error))
