"""file: what opens pages and edits is named by variables."""

import os
import webbrowser

os.environ["BROWSER"] = "touch pwned_browser %s"
x = webbrowser.GenericBrowser(["touch", "pwned_browser"]).open("x")
