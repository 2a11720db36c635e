import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { webviewHtml, webviewOptions } from '../../../common/documents/webviewHtml';
import type { FromWebview, SheetView, ToWebview } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import { fromWebviewSchema } from './fromWebviewSchema';

export interface SheetPanelOptions {
  readonly title: string;
  readonly column: vscode.ViewColumn;
  readonly extension: vscode.Uri;
  readonly onMessage: (message: Exclude<FromWebview, { type: 'ready' }>) => void;
  /** The user, or the window, closed it. */
  readonly onClose: () => void;
  /** Called when a message does not fit the protocol. */
  readonly warn: (message: string) => void;
}

/**
 * The webview of one sheet: shows the view that it was given last. No serializer is registered for it, so that a reloaded
 * window does not bring back what may no longer be true.
 */
export class SheetPanel implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable;
  private view: SheetView | undefined;
  private isReady = false;

  constructor(private readonly options: SheetPanelOptions) {
    const { title, column, extension } = options;
    this.panel = vscode.window.createWebviewPanel('managedAgents.sheet', title, column, {
      ...webviewOptions(extension),
      retainContextWhenHidden: false,
      enableFindWidget: true,
    });
    const { panel } = this;
    this.subscriptions = combine(
      panel.webview.onDidReceiveMessage(message => this.receive(message)),
      panel.onDidChangeViewState(() => {
        // What is hidden is thrown away; when it is drawn again it says that it is ready.
        this.isReady &&= panel.visible;
      }),
      panel.onDidDispose(options.onClose),
    );
    panel.webview.html = webviewHtml(panel.webview, extension, { name: 'sheet', state: {}, title: panel.title });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  setTitle(title: string): void {
    this.panel.title = toLabel(title, 80);
  }

  reveal(): void {
    this.panel.reveal();
  }

  show(view: SheetView): void {
    this.view = view;
    this.post({ type: 'view', view });
  }

  progress(share: number): void {
    this.post({ type: 'progress', share });
  }

  dispose(): void {
    this.isReady = false;
    this.subscriptions.dispose();
    this.panel.dispose();
  }

  private receive(raw: unknown): void {
    const parsed = fromWebviewSchema.safeParse(raw);
    if (!parsed.success) {
      this.options.warn('A sheet sent a message that is none of its protocol; it was dropped');
      return;
    }
    if (parsed.data.type !== 'ready') {
      this.options.onMessage(parsed.data);
      return;
    }
    this.isReady = true;
    if (this.view !== undefined) {
      this.show(this.view);
    }
  }

  private post(message: ToWebview): void {
    if (this.isReady) {
      // The panel may be closed in between.
      this.panel.webview.postMessage(message).then(undefined, () => undefined);
    }
  }
}
