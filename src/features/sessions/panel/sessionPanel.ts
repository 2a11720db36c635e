import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { webviewHtml, webviewOptions } from '../../../common/documents/webviewHtml';
import type { OwnPrices } from '../../../shared/session/facts/requestCosts';
import type { FromWebview, ToWebview } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { AwaitedReveal, type Reveal } from './awaitedReveal';
import { fromWebviewSchema } from './fromSessionSchema';
import { PanelPump } from './live/panelPump';
import type { PanelSource, SourceChange } from './live/panelSource';
import { tabIconOf } from './tabIcon';

/** Handlers for the messages of a panel, except those that the panel handles itself. */
export type PanelHandlers = {
  readonly [T in Exclude<FromWebview['type'], 'ready' | 'openThread' | 'viewAt' | 'keep'>]: (
    message: Extract<FromWebview, { readonly type: T }>,
    panel: SessionPanel,
  ) => unknown;
};

export interface SessionPanelOptions {
  readonly panel: vscode.WebviewPanel;
  readonly extension: vscode.Uri;
  readonly source: PanelSource;
  readonly handlers: PanelHandlers;
  /** State that the page saves over a reload. */
  readonly state: object;
  /** Returns the current prices from the settings. */
  readonly prices: () => OwnPrices;
  /** Called when the user typed something or acted on the session. */
  readonly onUse: () => void;
  /** Called with the error of a failed action of the user. */
  readonly onError: (error: unknown) => void;
  /** Called when a message does not fit the protocol. */
  readonly warn: (message: string) => void;
}

/**
 * One panel: keeps the webview in sync with its source while it is visible, and forwards the user's actions. Disposes the source with the
 * panel.
 */
export class SessionPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly source: PanelSource;
  private readonly options: SessionPanelOptions;
  private readonly pump: PanelPump;
  private readonly subscriptions: vscode.Disposable;
  private readonly disposed = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.disposed.event;
  private readonly visibility = new vscode.EventEmitter<boolean>();
  /** Fires when the panel may have been shown or hidden, or got or lost the focus. */
  readonly onDidChangeVisibility = this.visibility.event;
  /** Threads whose snapshot was sent to the webview. */
  private readonly given = new Set<string>();
  /** Messages that could not be delivered, because the webview was not loaded. */
  private undelivered: ToWebview[] = [];
  private readonly awaited: AwaitedReveal;
  private isReady = false;
  private isDisposed = false;
  private shownIcon = '';
  private isPreview = false;

  constructor(options: SessionPanelOptions) {
    this.options = options;
    this.panel = options.panel;
    this.source = options.source;
    this.awaited = new AwaitedReveal(options.source);
    const { panel, source } = options;
    this.pump = new PanelPump({
      post: message => this.post(message),
      header: () => ({ view: source.view, connection: source.connection, source: toLabel(source.name) }),
      frame: () => ({
        locale: vscode.env.language,
        translations: vscode.l10n.bundle ?? {},
        isReplay: source.isReplay,
        canWrite: source.canWrite,
        prices: options.prices(),
      }),
      rows: thread => {
        const rows = source.transcript(thread)?.rows;
        return rows && { rows: [...rows], expected: rows.length };
      },
    });
    this.subscriptions = combine(
      panel.webview.onDidReceiveMessage(message => this.receive(message)),
      panel.onDidChangeViewState(() => this.visibilityChanged()),
      source.onDidChange(change => this.changed(change)),
      panel.onDidDispose(() => this.dispose()),
    );
    panel.webview.options = webviewOptions(options.extension);
    panel.webview.html = webviewHtml(panel.webview, options.extension, { name: 'session', state: options.state, title: panel.title });
    this.showView(source.view);
  }

  /** Scrolls to an event once it is there, and moves the focus. */
  reveal(reveal: Reveal): void {
    this.awaited.await(reveal);
    this.revealAwaited();
  }

  /** Sends a message outside the stream of changes. It is saved until the webview is loaded. */
  async tell(message: ToWebview): Promise<void> {
    if (!this.isReady || (await this.post(message)) !== true) {
      this.undelivered.push(message);
    }
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.isDisposed = true;
    this.isReady = false;
    this.pump.pause();
    this.subscriptions.dispose();
    // Listeners may need the last state of the source.
    this.disposed.fire();
    this.source.dispose();
    this.panel.dispose();
    this.disposed.dispose();
    this.visibility.dispose();
  }

  /** Sends snapshots of all threads again, for a change that no amendment describes. */
  redraw(): void {
    for (const thread of this.given) {
      this.pump.snapshot(thread);
    }
  }

  private receive(raw: unknown): void {
    const parsed = fromWebviewSchema.safeParse(raw);
    if (!parsed.success) {
      this.options.warn('A session panel sent a message that is none of its protocol; it was dropped');
      return;
    }
    void this.handle(parsed.data).catch(error => this.options.onError(error));
  }

  private async handle(message: FromWebview): Promise<void> {
    if (message.type === 'keep' || message.type === 'interrupt' || 'clientId' in message) {
      this.options.onUse();
    }
    switch (message.type) {
      case 'keep':
        return;
      case 'ready':
        return this.begin();
      case 'openThread':
        return this.openThread(message.thread);
      case 'viewAt':
        await this.post({ type: 'viewAt', seq: message.seq, view: this.source.viewAt(message.seq) });
        return;
      default:
        // The handler at `message.type` accepts exactly this type of message.
        await (this.options.handlers[message.type] as (message: FromWebview, panel: SessionPanel) => unknown)(message, this);
    }
  }

  /** Handles a webview that was loaded or loaded again: it gets everything. */
  private begin(): void {
    this.pump.pause();
    this.given.clear();
    this.isReady = true;
    this.pump.resume();
    this.give('');
    const kept = this.undelivered;
    this.undelivered = [];
    for (const message of kept) {
      this.later(message);
    }
    this.revealAwaited();
  }

  private openThread(thread: string): void {
    this.source.openThread(thread);
    this.give(thread);
  }

  private give(thread: string): void {
    if (!this.given.has(thread)) {
      this.given.add(thread);
      this.pump.snapshot(thread);
    }
  }

  private later(message: ToWebview): void {
    if (this.isReady) {
      this.pump.afterRows('', message);
    } else {
      this.undelivered.push(message);
    }
  }

  private changed(change: SourceChange): void {
    switch (change.type) {
      case 'rows':
        if (this.given.has(change.thread)) {
          this.pump.splice(change.thread, change.splices);
        }
        this.revealAwaited();
        break;
      case 'text':
        if (this.given.has(change.thread)) {
          this.pump.previewText(change.thread, change.key, change.part, change.text);
        }
        break;
      case 'view':
      case 'connection':
        this.pump.header(change.type);
        this.revealAwaited();
        break;
    }
  }

  private revealAwaited(): void {
    if (this.isReady) {
      for (const message of this.awaited.take()) {
        this.pump.afterRows('', message);
      }
    }
  }

  private visibilityChanged(): void {
    if (!this.panel.visible) {
      // A hidden webview is destroyed. Once it is loaded again, it reports that it is ready.
      this.isReady = false;
      this.pump.pause();
    }
    this.visibility.fire(this.panel.visible);
  }

  /** Marks the tab as the preview, whose place another session can take. */
  showPreview(isPreview: boolean): void {
    this.isPreview = isPreview;
    this.showView(this.source.view);
  }

  /** Shows title and state of the session in the tab. */
  showView(view: SessionView): void {
    const { panel, source, options } = this;
    if (!source.isReplay) {
      const name = toLabel(view.title || view.firstWords || view.id, 60);
      const title = this.isPreview ? vscode.l10n.t('{0} (preview)', name) : name;
      if (panel.title !== title) {
        panel.title = title;
      }
    }
    const icon = source.isReplay ? 'file' : tabIconOf(view);
    if (icon !== this.shownIcon) {
      this.shownIcon = icon;
      const file = (theme: string) => vscode.Uri.joinPath(options.extension, 'media', 'session', `${icon}-${theme}.svg`);
      panel.iconPath = { light: file('light'), dark: file('dark') };
    }
  }

  private async post(message: ToWebview): Promise<boolean> {
    try {
      return await this.panel.webview.postMessage(message);
    } catch {
      // The panel was closed in the meantime.
      return false;
    }
  }
}
