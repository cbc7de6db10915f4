"""Takes the pictures of docs/how-to/editor.md and the README: VS Code itself, with the extension, in a browser.

``python editors/vscode/screenshots.py`` writes ``docs/images/vscode-*.png``, if ``make vsix`` has made the extension. It needs

* code-server, VS Code as a server (npm: ``code-server``), at ``--code-server``;
* Chromium, at ``--chromium``, and in this Python ``playwright``, which drives it, and ``pillow``;
* a Python with ``jaxtyping-core[lsp]``, at ``--python``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXTENSION = HERE / "dist" / "jaxtyping-core.vsix"
SETTINGS = {
    "breadcrumbs.enabled": False,
    "editor.fontSize": 13,
    "editor.hover.delay": 100,
    "editor.minimap.enabled": False,
    "editor.occurrencesHighlight": "off",
    "editor.lineNumbersMinChars": 3,
    "chat.disableAIFeatures": True,
    "editor.renderLineHighlight": "none",
    "editor.scrollBeyondLastLine": True,
    "editor.stickyScroll.enabled": False,
    "extensions.ignoreRecommendations": True,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "window.commandCenter": False,
    "workbench.activityBar.location": "hidden",
    "workbench.colorTheme": "Light Modern",
    "workbench.layoutControl.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}
#: Seconds until a page has to show something.
LONGEST = 500
BROWSER = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
BROWSER += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]


#: The middle of the last letter of a text in the editor, which has other spaces; null if it is not in sight.
PLACE = """
(text) => {
  for (const line of document.querySelectorAll(".view-line")) {
    const at = line.textContent.replaceAll("\\u00a0", " ").indexOf(text);
    if (at < 0) continue;
    let left = at + text.length;
    const parts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (parts.nextNode()) {
      const { length } = parts.currentNode;
      if (left <= length) {
        const letter = document.createRange();
        letter.setStart(parts.currentNode, left - 1);
        letter.setEnd(parts.currentNode, left);
        const { left: x, top: y, width, height } = letter.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      }
      left -= length;
    }
  }
  return null;
}
"""


class Picture(NamedTuple):
    """A file and what the line in its middle begins with; what is waited for; what the pointer is over, and what that tells."""

    name: str
    file: str
    middle: str
    awaited: str
    over: str = ""
    told: str = ""


PICTURES = (
    Picture("vscode-hints", "train.py", "batched_predict = ", ": float32[50, 10]"),
    Picture(
        "vscode-error", "train_mistakes.py", "def report", ": float32[200, 10]", "truth @", "dot_general"
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--code-server", default="code-server", help="the command")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--python", default=str(ROOT / ".venv" / "bin" / "python"))
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(shlex.split(options.code_server), Path(folder), options.python) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=options.chromium, args=BROWSER)
        for picture in PICTURES:
            page = browser.new_page(viewport={"width": 900, "height": 500}, device_scale_factor=2)
            page.set_default_timeout(1000 * LONGEST)
            show(page, address, picture)
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"{picture.name}.png").write_bytes(small(page.screenshot()))
            page.close()


@contextlib.contextmanager
def served(command: list[str], folder: Path, python: str) -> Iterator[str]:
    """The address of VS Code with the extension, and the examples opened as a folder."""
    workspace, user = folder / "examples", folder / "data"
    shutil.copytree(ROOT / "examples", workspace)
    (user / "User").mkdir(parents=True)
    settings = {**SETTINGS, "python.defaultInterpreterPath": python}
    (user / "User" / "settings.json").write_text(json.dumps(settings))
    places = ["--user-data-dir", str(user), "--extensions-dir", str(folder / "extensions")]
    places += ["--config", str(folder / "config.yaml")]
    subprocess.run([*command, *places, "--install-extension", str(EXTENSION)], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        bound = f"127.0.0.1:{free.getsockname()[1]}"
    options = ["--auth", "none", "--bind-addr", bound, "--disable-telemetry", "--disable-update-check"]
    server = subprocess.Popen([*command, *places, *options, "--disable-workspace-trust"])
    try:
        address = f"http://{bound}/?folder={workspace}"
        wait_for(address)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def wait_for(address: str) -> None:
    """Wait until something answers."""
    end = time.monotonic() + LONGEST
    while True:
        try:
            urllib.request.urlopen(address).close()
            return
        except (URLError, ConnectionError):
            assert time.monotonic() < end, f"nothing answers at {address}"
            time.sleep(0.2)


def show(page: Page, address: str, picture: Picture) -> None:
    """Have the window look as the picture should."""
    line = (ROOT / "examples" / picture.file).read_text().split(f"\n{picture.middle}", 1)[0].count("\n") + 2
    file = f"{address.partition('?folder=')[2]}/{picture.file}:{line}:1"
    opened = [["gotoLineMode", "true"], ["openFile", f"vscode-remote://{address.split('/')[2]}{file}"]]
    page.goto(f"{address}&payload={quote(json.dumps(opened))}")
    page.wait_for_function(PLACE, arg=picture.awaited)
    page.keyboard.press("Control+b")  # away with the files
    if picture.over:
        page.locator(".squiggly-error").first.wait_for()
        place = page.evaluate(PLACE, picture.over)
        page.mouse.move(place["x"], place["y"])
        page.locator(".monaco-hover-content", has_text=picture.told).first.wait_for()
    page.wait_for_timeout(2000)  # until all is drawn


def small(picture: bytes) -> bytes:
    """A picture with few colours, as text has."""
    written = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
        written, "PNG", optimize=True
    )
    return written.getvalue()


if __name__ == "__main__":
    main()
