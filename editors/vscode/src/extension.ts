/** Starts the language server of jaxtyping-core for the Python files of a window. */

import { commands, type ExtensionContext, window, workspace } from "vscode";
import { INSTALL, StartError } from "./process.js";
import { onOtherPython } from "./python.js";
import { Server } from "./server.js";
import { SECTION } from "./settings.js";
import { RESTART, SHOW_LOG, Status } from "./status.js";

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel(SECTION, { log: true });
  const status = new Status();
  const server = new Server(log, status, failed);
  context.subscriptions.push(
    log,
    status,
    server,
    commands.registerCommand(RESTART.command, () => server.restart()),
    commands.registerCommand(SHOW_LOG.command, () => log.show()),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(`${SECTION}.command`)) await server.restart();
      else if (event.affectsConfiguration(SECTION)) await server.configure();
    }),
    await onOtherPython(() => server.follow()),
  );
  await server.restart();
}

/** Say why there is no server, and offer the remedy. The command that installs it waits in a terminal for the user. */
async function failed(reason: Error, python: string): Promise<void> {
  const isMissing = reason instanceof StartError && reason.isMissing;
  const remedies = [...(isMissing ? ["Install"] : []), RESTART.title, SHOW_LOG.title];
  const chosen = await window.showErrorMessage(`${SECTION}: ${reason.message}`, ...remedies);
  if (chosen === "Install") {
    const terminal = window.createTerminal(SECTION);
    terminal.show();
    terminal.sendText(`${python.includes(" ") ? `"${python}"` : python} ${INSTALL}`, false);
  }
  for (const { title, command } of [RESTART, SHOW_LOG])
    if (chosen === title) await commands.executeCommand(command);
}
