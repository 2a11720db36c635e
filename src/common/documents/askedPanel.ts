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
  /** Default: the active column. */
  readonly column?: vscode.ViewColumn;
  readonly enableFindWidget?: boolean;
  /** Initial state of the page, which VS Code also saves to restore the panel. */
  readonly state?: object;
  /** Schema of the messages that the webview may send. */
  readonly schema: { safeParse(raw: unknown): { readonly success: true; readonly data: From } | { readonly success: false } };
  readonly handle: (message: From) => Promise<void>;
  /** Shows the failure of a user's action. */
  readonly onError: (error: unknown) => void;
  readonly warn: (message: string) => void;
  /** Called when the panel comes into view. */
  readonly onVisible?: () => void;
  readonly onClose?: () => void;
  /** Closes the panel when aborted. */
  readonly lifetime: AbortSignal;
}

/**
 * Webview panel whose page requests its data from the extension host, beginning with a `ready` message. Validates every message and reports
 * failures.
 */
export class AskedPanel<From extends { readonly type: string }, To> implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable;
  private isPageReady = false;

  constructor(private readonly options: AskedPanelOptions<From>) {
    const { extension, viewType, name, title, state = {}, lifetime, enableFindWidget = false } = options;
    this.panel =
      options.panel ??
      vscode.window.createWebviewPanel(viewType, title, options.column ?? vscode.ViewColumn.Active, {
        ...webviewOptions(extension),
        retainContextWhenHidden: false,
        enableFindWidget,
      });
    this.panel.title = title;
    this.panel.webview.options = webviewOptions(extension);
    const close = () => this.dispose();
    lifetime.addEventListener('abort', close);
    this.subscriptions = combine(
      this.panel.webview.onDidReceiveMessage(message => this.receive(message)),
      this.panel.onDidChangeViewState(() => {
        // The page of a hidden webview is discarded. When it is shown again, it sends `ready`.
        this.isPageReady &&= this.panel.visible;
        if (this.panel.visible) {
          options.onVisible?.();
        }
      }),
      this.panel.onDidDispose(() => {
        this.isPageReady = false;
        this.subscriptions.dispose();
        options.onClose?.();
      }),
      { dispose: () => lifetime.removeEventListener('abort', close) },
    );
    this.panel.webview.html = webviewHtml(this.panel.webview, extension, { name, state, title });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  /** A visible page receives what is posted. */
  get isReady(): boolean {
    return this.isPageReady;
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  set title(title: string) {
    this.panel.title = title;
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Posts a message, unless the page is not ready. */
  post(message: To): void {
    if (this.isPageReady) {
      // The panel may be closed meanwhile.
      this.panel.webview.postMessage(message).then(undefined, () => undefined);
    }
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
    this.isPageReady ||= parsed.data.type === 'ready';
    handle(parsed.data).catch(error => {
      if (!isCancellation(error)) {
        onError(error);
      }
    });
  }
}
