/** What the user has set under `jaxtyping-core`. */

import { workspace } from "vscode";

export const SECTION = "jaxtyping-core";
/** Those that are for this extension; all others are the server's, which takes no others. */
const OWN = new Set(["command", "trace"]);

/**
 * The settings of the server. `python` is the interpreter that is selected, unless the user has named another. In a workspace
 * that VS Code trusts, programs are evaluated even where the operating system does not isolate that.
 */
export function serverSettings(selected: string | undefined): Record<string, unknown> {
  const all = workspace.getConfiguration().get<Record<string, unknown>>(SECTION, {});
  const settings = Object.fromEntries(Object.entries(all).filter(([name]) => !OWN.has(name)));
  const trust = settings["trust"] === "no" && workspace.isTrusted ? "evaluate" : settings["trust"];
  return { ...settings, trust, python: settings["python"] || selected || "" };
}

/** The command that starts the server, if the user has named one. */
export function command(): string[] {
  return workspace.getConfiguration(SECTION).get<string[]>("command", []);
}
