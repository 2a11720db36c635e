import * as vscode from 'vscode';
import { isCancellation } from '../cancellation';
import { combine } from '../disposables';
import { webviewHtml, webviewOptions } from './webviewHtml';

export interface AskedPanelOptions<From> {
  readonly extension: vscode.Uri;
  /** One that VS Code brought back. */
  readonly panel?: vscode.WebviewPanel;
  readonly viewType: string;
  /** The bundle. */
  readonly name: string;
  readonly title: string;
  /** What is written into its page, and kept by VS Code for the panel to be brought back by. */
  readonly state?: object;
  /** What the webview may say, and nothing else. */
  readonly schema: { safeParse(raw: unknown): { readonly success: true; readonly data: From } | { readonly success: false } };
  readonly handle: (message: From) => Promise<void>;
  /** An act of the user that failed, and how it is told. */
  readonly onError: (error: unknown) => void;
  readonly warn: (message: string) => void;
  /** It closes when this aborts. */
  readonly lifetime: AbortSignal;
}

/** A panel that shows what its host has, and asks for it as it is seen: every message is checked, and what fails is told. */
export class AskedPanel<From, To> implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly options: AskedPanelOptions<From>) {
    const { extension, viewType, name, title, state = {}, lifetime } = options;
    this.panel =
      options.panel ??
      vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
        ...webviewOptions(extension),
        retainContextWhenHidden: false,
        enableFindWidget: false,
      });
    this.panel.title = title;
    this.panel.webview.options = webviewOptions(extension);
    const close = () => this.dispose();
    lifetime.addEventListener('abort', close);
    this.subscriptions = combine(
      this.panel.webview.onDidReceiveMessage(message => this.receive(message)),
      this.panel.onDidDispose(() => this.subscriptions.dispose()),
      { dispose: () => lifetime.removeEventListener('abort', close) },
    );
    this.panel.webview.html = webviewHtml(this.panel.webview, extension, { name, state, title });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  post(message: To): void {
    // The panel may be closed in between.
    this.panel.webview.postMessage(message).then(undefined, () => undefined);
  }

  dispose(): void {
    this.panel.dispose();
  }

  private receive(raw: unknown): void {
    const { schema, handle, onError, warn, viewType } = this.options;
    const parsed = schema.safeParse(raw);
    if (!parsed.success) {
      warn(`A panel (${viewType}) sent a message that is none of its protocol; it was dropped`);
      return;
    }
    handle(parsed.data).catch(error => {
      if (!isCancellation(error)) {
        onError(error);
      }
    });
  }
}
