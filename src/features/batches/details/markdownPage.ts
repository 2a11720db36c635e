import * as vscode from 'vscode';
import { toPageHtml } from './pageHtml';

export interface MarkdownPageOptions<T extends object> {
  /** Panel that VS Code restored. */
  readonly panel: vscode.WebviewPanel | undefined;
  readonly viewType: string;
  /** Commands that links of the page can run. */
  readonly commands: readonly string[];
  /** Data to restore the page from. */
  readonly state: T;
  readonly title: () => string;
  /** Returns the Markdown of the page. */
  readonly text: () => Promise<string>;
  /** True if the page has a wide table. */
  readonly isWide?: boolean;
}

/** A panel that shows Markdown. */
export class MarkdownPage<T extends object> {
  readonly panel: vscode.WebviewPanel;
  private rendered: string | undefined;
  private turn = 0;
  private isDisposed = false;

  constructor(private readonly options: MarkdownPageOptions<T>) {
    const { viewType, commands } = options;
    this.panel = options.panel ?? vscode.window.createWebviewPanel(viewType, '', vscode.ViewColumn.Active, { enableFindWidget: true });
    this.panel.webview.options = { enableScripts: true, enableCommandUris: commands, localResourceRoots: [] };
    this.panel.onDidDispose(() => {
      this.isDisposed = true;
    });
  }

  get state(): T {
    return this.options.state;
  }

  /** Renders the page. Does nothing if the HTML is unchanged. */
  async draw(): Promise<void> {
    const { panel } = this;
    const { state, title, text, isWide } = this.options;
    const turn = ++this.turn;
    const body = await vscode.commands.executeCommand<string>('markdown.api.render', await text());
    // A later call renders the newer state.
    if (this.isDisposed || turn !== this.turn || body === this.rendered) {
      return;
    }
    this.rendered = body;
    panel.title = title();
    panel.webview.html = toPageHtml(body, state, panel.title, isWide);
  }
}
