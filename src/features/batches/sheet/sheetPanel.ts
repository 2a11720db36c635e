import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { webviewHtml, webviewOptions } from '../../../common/documents/webviewHtml';
import type { FromWebview, SheetState, SheetView, ToWebview } from '../../../shared/sheet/sheetProtocol';
import { fromWebviewSchema } from './fromWebviewSchema';
import { sheetViewType } from './whenNoSheet';

export interface SheetPanelOptions {
  readonly title: string;
  /** The sheet's file. */
  readonly target: vscode.Uri;
  /** Column of another sheet that is open. */
  readonly otherColumn: vscode.ViewColumn | undefined;
  readonly extension: vscode.Uri;
  /** State that survives a reload of the window. */
  readonly state: SheetState;
  /** Panel that a reloaded window restored. */
  readonly brought: vscode.WebviewPanel | undefined;
  readonly onMessage: (message: Exclude<FromWebview, { type: 'ready' }>) => void;
  /** Called when the user or the window closed it. */
  readonly onClose: () => void;
  /** Called with each message that does not match the protocol. */
  readonly warn: (message: string) => void;
}

/** The webview of one sheet. Shows the latest view. */
export class SheetPanel implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable;
  private view: SheetView | undefined;
  private isReady = false;

  constructor(private readonly options: SheetPanelOptions) {
    const { title, extension, state, brought } = options;
    this.panel =
      brought ??
      vscode.window.createWebviewPanel(sheetViewType, title, columnOf(options), {
        ...webviewOptions(extension),
        retainContextWhenHidden: false,
        enableFindWidget: true,
      });
    const { panel } = this;
    if (brought !== undefined) {
      panel.webview.options = webviewOptions(extension);
    }
    this.subscriptions = combine(
      panel.webview.onDidReceiveMessage(message => this.receive(message)),
      panel.onDidChangeViewState(() => {
        // VS Code discards a hidden webview. It sends `ready` when it is shown again.
        this.isReady &&= panel.visible;
      }),
      panel.onDidDispose(options.onClose),
    );
    panel.webview.html = webviewHtml(panel.webview, extension, { name: 'sheet', state, title: panel.title });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
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
    if (this.panel.active) {
      // An earlier notification covers the button that sends, and stays while the mouse is over it. It remains in the notification center.
      void vscode.commands.executeCommand('notifications.hideToasts');
    }
    if (this.view !== undefined) {
      this.show(this.view);
    }
  }

  private post(message: ToWebview): void {
    if (this.isReady) {
      // The panel may be closed meanwhile.
      this.panel.webview.postMessage(message).then(undefined, () => undefined);
    }
  }
}

/** Returns the column for a sheet: that of another sheet if there are several columns, beside its file, or the active one. */
function columnOf({ target, otherColumn }: SheetPanelOptions): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const shown = activeTabGroup.activeTab?.input;
  const isFileShown = shown instanceof vscode.TabInputText && shown.uri.toString() === target.toString();
  if (otherColumn !== undefined && all.length > 1) {
    return otherColumn;
  }
  return isFileShown ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
}
