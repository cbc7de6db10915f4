/** What VS Code shows of a diagnostic itself, its message and the calls that lead there, is not said a second time. */

import { type Diagnostic, Hover, languages, MarkdownString, type Position, type Uri } from "vscode";
import { SECTION } from "./settings.js";

/** The last lines of a message, for editors that show no related information. */
const RELATED = /(\n(called from |[^\n]*, assigned at )[^\n]*)+$/;

/** A diagnostic whose calls, and the lines that made its arrays, are only in its related information. */
export function withoutCalls(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.relatedInformation?.length) diagnostic.message = diagnostic.message.replace(RELATED, "");
  return diagnostic;
}

/** A hover without the messages of the diagnostics there, which stand above it; nothing if nothing is left. */
export function withoutDiagnostics(hover: Hover, uri: Uri, position: Position): Hover | undefined {
  const shown = languages
    .getDiagnostics(uri)
    .filter(({ source, range }) => source === SECTION && range.contains(position))
    .map(({ message }) => message);
  const contents = hover.contents.map((part) => {
    const text = part instanceof MarkdownString ? part.value : String(part);
    const kept = text.split("\n\n").filter((said) => !shown.some((message) => said.startsWith(message)));
    return new MarkdownString(kept.join("\n\n"));
  });
  const left = contents.filter(({ value }) => value);
  return left.length ? new Hover(left, hover.range) : undefined;
}
