/** The process of the server: how it is started, and what its end says. */

import { type ChildProcess, spawn } from "node:child_process";

/** How much of what a process writes about its end is kept. */
const MOST = 4000;
/** Milliseconds that its end is waited for. */
const PATIENCE = 3000;
export const INSTALL = `-m pip install "jaxtyping-core[lsp]"`;

/** Why a server did not start; `isMissing` if it has to be installed for the interpreter. */
export class StartError extends Error {
  constructor(
    message: string,
    readonly isMissing = false,
  ) {
    super(message);
  }
}

export class ServerProcess {
  private written = "";
  /** Until all that it writes is read. */
  private ended: Promise<void> = Promise.resolve();

  /** @param command the program and its arguments */
  constructor(readonly command: readonly string[]) {}

  /** Start it. */
  start(): Promise<ChildProcess> {
    const [program = "", ...given] = this.command;
    this.written = "";
    return new Promise((resolve, reject) => {
      const child = spawn(program, given);
      child.stderr.on("data", (data) => {
        this.written = (this.written + data).slice(-MOST);
      });
      this.ended = new Promise((end) => child.once("close", () => end()));
      child.once("error", (error) => {
        this.written = error.message;
        reject(error);
      });
      child.once("spawn", () => resolve(child));
    });
  }

  /** Why it is not running, once it has ended, or if it does not. */
  async reason(): Promise<StartError> {
    await Promise.race([this.ended, new Promise((end) => setTimeout(end, PATIENCE))]);
    const [program = ""] = this.command;
    const said = this.written.trim().split("\n").at(-1) ?? "";
    if (/ENOENT|EACCES/.test(said))
      return new StartError(`Cannot start ${program}. Select another Python interpreter.`);
    if (this.written.includes("Unknown option: -P"))
      return new StartError(`${program} is older than Python 3.11. Select a newer interpreter.`);
    if (/No module named '?jaxtyping_core|jaxtyping-core\[lsp\]|No such command/.test(this.written))
      return new StartError(`The language server is not installed for ${program}. Install it: ${program} ${INSTALL}`, true);
    return new StartError(said || `${this.command.join(" ")} ended without an error message.`);
  }
}
