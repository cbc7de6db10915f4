/** What the status item of Python files says of the server. */

import { type Command, type Disposable, LanguageStatusSeverity, languages } from "vscode";
import { SECTION } from "./settings.js";

export const RESTART: Command = { command: `${SECTION}.restart`, title: "Restart Server" };
export const SHOW_LOG: Command = { command: `${SECTION}.showLog`, title: "Show Log" };

export class Status implements Disposable {
  private readonly item = languages.createLanguageStatusItem(SECTION, { language: "python" });

  constructor() {
    this.item.name = SECTION;
  }

  starting(): void {
    this.show(SECTION, "Starting", SHOW_LOG);
    this.item.busy = true;
  }

  /** @param detail which server with which interpreter */
  ready(detail: string): void {
    this.show(SECTION, detail, RESTART);
  }

  /** @param reason why there is no server, and the remedy */
  failed(reason: string): void {
    this.show(`${SECTION} is not running`, reason, RESTART);
    this.item.severity = LanguageStatusSeverity.Error;
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(text: string, detail: string, command: Command): void {
    this.item.busy = false;
    this.item.severity = LanguageStatusSeverity.Information;
    Object.assign(this.item, { text, detail, command });
  }
}
