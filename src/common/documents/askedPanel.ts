import * as vscode from 'vscode';
import { isCancellation } from '../cancellation';
import { combine } from '../disposables';
import { webviewHtml, webviewOptions } from './webviewHtml';

export interface AskedPanelOptions<From> {
  readonly extension: vscode.Uri;
  /** Panel restored by VS Code. */
  readonly panel?: vscode.WebviewPanel;
  readonly viewType: string;
  /** Name of the webview bundle. */
  readonly name: string;
  readonly title: string;
  /** Initial state of the page, which VS Code also saves to restore the panel. */
  readonly state?: object;
  /** Schema of the messages that the webview may send. */
  readonly schema: { safeParse(raw: unknown): { readonly success: true; readonly data: From } | { readonly success: false } };
  readonly handle: (message: From) => Promise<void>;
  /** Shows the failure of a user's action. */
  readonly onError: (error: unknown) => void;
  readonly warn: (message: string) => void;
  /** Closes the panel when aborted. */
  readonly lifetime: AbortSignal;
}

/** Webview panel whose page requests its data from the extension host. Validates every message and reports failures. */
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
    // The panel may have been closed meanwhile.
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
