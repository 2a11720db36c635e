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

/** What the host does with each message of a panel, but for those that the panel answers itself. */
export type PanelHandlers = {
  readonly [T in Exclude<FromWebview['type'], 'ready' | 'openThread' | 'viewAt'>]: (
    message: Extract<FromWebview, { readonly type: T }>,
    panel: SessionPanel,
  ) => unknown;
};

export interface SessionPanelOptions {
  readonly panel: vscode.WebviewPanel;
  readonly extension: vscode.Uri;
  readonly source: PanelSource;
  readonly handlers: PanelHandlers;
  /** What the page is told to keep over a reload. */
  readonly state: object;
  /** The prices that the user has given now. */
  readonly prices: () => OwnPrices;
  /** An act of the user that failed, and how it is told. */
  readonly onError: (error: unknown) => void;
  /** Called when a message does not fit the protocol. */
  readonly warn: (message: string) => void;
}

/**
 * One panel: keeps the webview a picture of its source for as long as it is visible, and hands on what the user does in it.
 * Disposes the source with the panel.
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
  /** Fires when the panel may have been shown or hidden, or got or lost the keyboard. */
  readonly onDidChangeVisibility = this.visibility.event;
  /** Threads that the webview has been given. */
  private readonly given = new Set<string>();
  /** Messages that the webview did not get because it was not there. */
  private undelivered: ToWebview[] = [];
  private readonly awaited: AwaitedReveal;
  private isReady = false;
  private isDisposed = false;
  private shownIcon = '';

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

  /** Scrolls to an event once it is there, and puts the keyboard where it is wanted. */
  reveal(reveal: Reveal): void {
    this.awaited.await(reveal);
    this.revealAwaited();
  }

  /** Sends a message that is no part of the picture; kept until there is somebody to get it. */
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
    // Whoever listens may want to know what the source saw last.
    this.disposed.fire();
    this.source.dispose();
    this.panel.dispose();
    this.disposed.dispose();
    this.visibility.dispose();
  }

  /** Shows the whole picture again, because something changed that no amendment tells. */
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
    switch (message.type) {
      case 'ready':
        return this.begin();
      case 'openThread':
        return this.openThread(message.thread);
      case 'viewAt':
        await this.post({ type: 'viewAt', seq: message.seq, view: this.source.viewAt(message.seq) });
        return;
      default:
        // The handlers are one for each type: whatever the type is, its handler takes this message.
        await (this.options.handlers[message.type] as (message: FromWebview, panel: SessionPanel) => unknown)(message, this);
    }
  }

  /** The webview is there, or there again: it gets everything. */
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
      // What is hidden is thrown away; when it is drawn again it says that it is ready.
      this.isReady = false;
      this.pump.pause();
    }
    this.visibility.fire(this.panel.visible);
  }

  /** Shows title and state of the session in the tab. */
  showView(view: SessionView): void {
    const { panel, source, options } = this;
    if (!source.isReplay) {
      const title = toLabel(view.title || view.firstWords || view.id, 60);
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
      // The panel was closed in between.
      return false;
    }
  }
}
