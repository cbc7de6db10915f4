/** The interpreter that is selected for the window. */

import { homedir } from "node:os";
import { PythonExtension } from "@vscode/python-extension";
import { type Disposable, extensions, workspace } from "vscode";

const EXTENSION = "ms-python.python";
/** The setting that is read where the Python extension is not installed. */
const SETTING = "python.defaultInterpreterPath";
const FALLBACK = process.platform === "win32" ? "python" : "python3";

/** The path of the interpreter that the Python extension has selected; without it, that of its setting, or Python itself. */
export async function selectedPython(): Promise<string> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const environments = (await api())?.environments;
  if (environments) {
    const path = environments.getActiveEnvironmentPath(folder);
    const environment = await environments.resolveEnvironment(path);
    if (environment?.executable.uri) return environment.executable.uri.fsPath;
  }
  const set = workspace.getConfiguration(undefined, folder).get<string>(SETTING);
  return set ? expanded(set, folder?.fsPath ?? "") : FALLBACK;
}

/** Have something done whenever another interpreter is selected. */
export async function onOtherPython(tell: () => void): Promise<Disposable> {
  const environments = (await api())?.environments;
  if (environments) return environments.onDidChangeActiveEnvironmentPath(tell);
  return workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTING)) tell();
  });
}

async function api(): Promise<PythonExtension | undefined> {
  return extensions.getExtension(EXTENSION) ? PythonExtension.api() : undefined;
}

function expanded(path: string, folder: string): string {
  return path.replace(/^~(?=[/\\])/, homedir()).replaceAll("${workspaceFolder}", folder);
}
