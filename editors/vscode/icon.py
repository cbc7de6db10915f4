"""Draws ``icon.png``: an array of two rows and three columns in brackets, each row in the colour of a dtype."""

from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

SIZE, BACKGROUND, BRACKETS = 128, "#26326b", "white"
ROWS = ("#ffb74d", "#4dd0e1")


def box(x: float, y: float, width: float, height: float, corner: float, colour: str) -> FancyBboxPatch:
    style = f"round,pad=0,rounding_size={corner}"
    return FancyBboxPatch((x, y), width, height, boxstyle=style, facecolor=colour, edgecolor="none")


def main() -> None:
    figure = Figure(figsize=(1, 1), dpi=SIZE)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, SIZE), ylim=(0, SIZE))
    axes.axis("off")
    axes.add_patch(box(2, 2, 124, 124, 22, BACKGROUND))
    for x, inward in ((16, 10), (112, -10)):
        (line,) = axes.plot([x + inward, x, x, x + inward], [106, 106, 22, 22], color=BRACKETS, linewidth=3.6)
        line.set_solid_capstyle("round")
        line.set_solid_joinstyle("round")
    for row, colour in enumerate(ROWS):
        for column in range(3):
            axes.add_patch(box(28 + 25 * column, 66 - 33 * row, 22, 29, 5, colour))
    figure.savefig(Path(__file__).with_suffix(".png"), transparent=True)


if __name__ == "__main__":
    main()
