"""file: archives are made and unpacked."""

import gzip
import zipfile

with zipfile.ZipFile("pwned_of_archives.zip", "w") as archive:
    archive.writestr("pwned_of_archives", "x")
with zipfile.ZipFile("pwned_of_archives.zip") as archive:
    archive.extractall("OUT")
gzip.open("pwned_of_archives.gz", "w").close()
