import * as vscode from 'vscode';
import { createShowError } from '../asking/showError';
import { isCancellation } from '../cancellation';
import type { Log } from '../log';
import { webviewHtml, webviewOptions } from './webviewHtml';

export interface PanelHostOptions<From extends { readonly type: string }, To> {
  readonly extension: vscode.Uri;
  readonly log: Log;
  readonly viewType: string;
  readonly bundle: string;
  readonly title: string;
  /** Panel that VS Code created or restored. If missing, a new panel is created. */
  readonly panel?: vscode.WebviewPanel | undefined;
  /** Column of a new panel. The active column by default. */
  readonly column?: vscode.ViewColumn | undefined;
  readonly hasFind?: boolean;
  /** Initial state of the page, which VS Code also saves to restore the panel. */
  readonly state?: object;
  readonly schema: { safeParse(raw: unknown): { readonly success: true; readonly data: From } | { readonly success: false } };
  /** Called whenever a page has loaded. The loaded page has no content yet. */
  readonly onReady: () => unknown;
  readonly onMessage: (message: Exclude<From, { readonly type: 'ready' }>) => unknown;
  /** Sends a message that waited for the page. By default, posts the message. */
  readonly deliver?: (message: To) => void;
  /** Called when the panel's visibility or focus may have changed. */
  readonly onVisibility?: (isVisible: boolean) => void;
  readonly onDispose?: () => void;
  readonly lifetime?: AbortSignal;
}

/**
 * Host of one webview panel. Creates its page, parses every message from it, and shows the errors of handlers. A hidden page is destroyed.
 * The host posts nothing to a hidden page. The page sends `ready` when it is loaded again.
 */
export class PanelHost<From extends { readonly type: string }, To> implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  private readonly closing = new AbortController();
  private readonly showError: (error: unknown) => Promise<void>;
  private waiting: To[] = [];
  private isLoaded = false;

  constructor(private readonly options: PanelHostOptions<From, To>) {
    const { extension, log, viewType, bundle, title, column, hasFind = false, state = {}, lifetime } = options;
    this.showError = createShowError(log);
    const panel =
      options.panel ??
      vscode.window.createWebviewPanel(viewType, title, column ?? vscode.ViewColumn.Active, {
        retainContextWhenHidden: false,
        enableFindWidget: hasFind,
      });
    this.panel = panel;
    this.setTitle(title);
    lifetime?.addEventListener('abort', () => this.dispose(), { signal: this.signal });
    // VS Code ends these subscriptions with the panel.
    panel.webview.onDidReceiveMessage(message => this.receive(message));
    panel.onDidChangeViewState(() => {
      this.isLoaded &&= panel.visible;
      options.onVisibility?.(panel.visible);
    });
    panel.onDidDispose(() => {
      this.isLoaded = false;
      this.waiting = [];
      this.closing.abort();
      options.onDispose?.();
    });
    panel.webview.options = webviewOptions(extension);
    panel.webview.html = webviewHtml(panel.webview, extension, { name: bundle, state, title });
  }

  get signal(): AbortSignal {
    return this.closing.signal;
  }

  /** True while there is a page that can show messages. */
  get isReady(): boolean {
    return this.isLoaded;
  }

  get column(): vscode.ViewColumn | undefined {
    return this.signal.aborted ? undefined : this.panel.viewColumn;
  }

  setTitle(title: string): void {
    if (!this.signal.aborted && this.panel.title !== title) {
      this.panel.title = title;
    }
  }

  /** Sets the tab's icon to an icon in `media/session`. */
  setIcon(name: string): void {
    const file = (theme: string) => vscode.Uri.joinPath(this.options.extension, 'media', 'session', `${name}-${theme}.svg`);
    this.panel.iconPath = { light: file('light'), dark: file('dark') };
  }

  /** Posts a message, unless the page is not ready. Returns whether the message was posted. */
  async post(message: To): Promise<boolean> {
    try {
      return this.isLoaded && (await this.panel.webview.postMessage(message));
    } catch {
      // The panel was closed in the meantime.
      return false;
    }
  }

  /** Posts a message now, or as soon as the page is ready. */
  async send(message: To): Promise<void> {
    if (!(await this.post(message)) && !this.signal.aborted) {
      this.waiting.push(message);
    }
  }

  dispose(): void {
    this.panel.dispose();
  }

  private receive(raw: unknown): void {
    const { schema, log, viewType } = this.options;
    const parsed = schema.safeParse(raw);
    if (parsed.success) {
      this.run(() => this.handle(parsed.data));
    } else {
      log.warn(`A panel (${viewType}) sent an unknown message, which was ignored`);
    }
  }

  /** Runs an action without waiting for it. Shows its error, unless the user cancelled. */
  run(act: () => Promise<unknown>): void {
    act().catch(error => {
      if (!isCancellation(error)) {
        void this.showError(error);
      }
    });
  }

  private async handle(message: From): Promise<void> {
    if (message.type !== 'ready') {
      await this.options.onMessage(message as Exclude<From, { readonly type: 'ready' }>);
      return;
    }
    this.isLoaded = true;
    await this.options.onReady();
    const deliver = this.options.deliver ?? (waited => this.send(waited));
    this.waiting.splice(0).forEach(deliver);
  }
}
