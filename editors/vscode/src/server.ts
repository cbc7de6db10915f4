/** The connection with the server. */

import type { Disposable, LogOutputChannel } from "vscode";
import {
  CloseAction,
  DidChangeConfigurationNotification,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  State,
} from "vscode-languageclient/node";
import { withoutCalls, withoutDiagnostics } from "./once.js";
import { ServerProcess } from "./process.js";
import { selectedPython } from "./python.js";
import { command, SECTION, serverSettings } from "./settings.js";
import type { Status } from "./status.js";

/** A client whose errors are written to the log alone: the user is told why there is no server, not what broke first. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements Disposable {
  private client: LanguageClient | undefined;
  private process = new ServerProcess([]);
  private python = "";
  /** What is under way: one start or stop after the other. */
  private last: Promise<void> = Promise.resolve();

  /** @param failed is told why there is no server, with the interpreter */
  constructor(
    private readonly log: LogOutputChannel,
    private readonly status: Status,
    private readonly failed: (reason: Error, python: string) => void,
  ) {}

  /** Start the server, with the interpreter and the command of now, in place of the one that is running. */
  restart(): Promise<void> {
    this.last = this.last.then(() => this.stop()).then(() => this.start());
    return this.last;
  }

  /** Restart the server if another interpreter is selected than the one it has. */
  async follow(): Promise<void> {
    await this.last;
    if ((await selectedPython()) !== this.python) await this.restart();
  }

  /** The settings are others: have the server ask for them. */
  async configure(): Promise<void> {
    if (this.client?.state === State.Running)
      await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
  }

  dispose(): Promise<void> {
    return this.last.then(() => this.stop());
  }

  private async start(): Promise<void> {
    this.status.starting();
    this.python = await selectedPython();
    const named = command();
    this.process = new ServerProcess(named.length ? named : [this.python, "-P", "-m", "jaxtyping_core", "lsp"]);
    this.log.info(this.process.command.join(" "));
    const client = new QuietClient(SECTION, SECTION, () => this.process.start(), this.options());
    this.client = client;
    client.onDidChangeState(({ newState }) => this.show(client, newState));
    await client.start().catch(() => undefined); // `show` has told why
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.log.warn(String(error)));
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: "file", language: "python" },
        { scheme: "vscode-notebook-cell", language: "python" },
      ],
      outputChannel: this.log,
      initializationOptions: () => serverSettings(this.python),
      initializationFailedHandler: () => false,
      errorHandler: this.errorHandler(),
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(withoutCalls)),
        provideHover: async (document, position, token, next) => {
          const hover = await next(document, position, token);
          return hover ? withoutDiagnostics(hover, document.uri, position) : hover;
        },
        workspace: { configuration: ({ items }) => items.map(() => serverSettings(this.python)) },
      },
    };
  }

  /**
   * A server that was never ready is not started again: it would end as this one has. All else is as usual, but that the
   * user is told of it here.
   */
  private errorHandler(): ErrorHandler {
    let usual: ErrorHandler | undefined;
    return {
      error: () => ({ action: ErrorAction.Continue, handled: true }), // the end of the connection follows, or nothing
      closed: async () => {
        usual ??= this.client?.createDefaultErrorHandler();
        const wasReady = this.client?.initializeResult !== undefined;
        const result = wasReady ? await usual?.closed() : undefined;
        if (wasReady && result?.action !== CloseAction.Restart) void this.tell();
        return { action: CloseAction.DoNotRestart, ...result, handled: true };
      },
    };
  }

  private show(client: LanguageClient, state: State): void {
    if (client !== this.client) return; // it was stopped for another
    if (state === State.Starting) this.status.starting();
    else if (state === State.StartFailed) void this.tell();
    else if (state === State.Running) {
      const server = client.initializeResult?.serverInfo;
      this.status.ready(`${server?.name ?? SECTION} ${server?.version ?? ""}, started with ${this.process.command[0]}`);
    }
  }

  /** Say why there is no server. */
  private async tell(): Promise<void> {
    const { client, process } = this;
    const reason = await process.reason();
    if (client !== this.client) return; // another one is being started
    this.status.failed(reason.message);
    this.failed(reason, this.python);
  }
}
