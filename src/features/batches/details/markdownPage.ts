import * as vscode from 'vscode';
import { OpenPanels } from '../../../common/panels/openPanels';
import { escapeAttribute, toDocument } from '../../../common/panels/webviewHtml';

interface MarkdownPagesOptions<T extends object> {
  readonly viewType: string;
  /** Commands that links of the pages can run. */
  readonly commands: readonly string[];
  readonly isWide?: boolean;
  readonly title: (state: T) => string;
  /** Returns the Markdown of a page. */
  readonly text: (state: T) => Promise<string>;
}

/** Panels that show Markdown, at most one for each state. */
export class MarkdownPages<T extends object> implements vscode.Disposable {
  private readonly open = new OpenPanels<MarkdownPage<T>>();

  constructor(private readonly options: MarkdownPagesOptions<T>) {}

  async show(state: T): Promise<void> {
    await this.open.show(JSON.stringify(state), () => new MarkdownPage(state, this.options)).draw();
  }

  /** Shows a page in a panel that VS Code restored. Closes the panel if it has no state, or if its page is open already. */
  async restore(panel: vscode.WebviewPanel, state: T | undefined): Promise<void> {
    if (state === undefined) {
      panel.dispose();
      return;
    }
    await this.open.restore(JSON.stringify(state), panel, () => new MarkdownPage(state, this.options, panel))?.draw();
  }

  /** Re-renders the open pages that `isWanted` accepts. */
  refresh(isWanted: (state: T) => boolean = () => true): void {
    for (const page of this.open.all.filter(({ state }) => isWanted(state))) {
      page.draw().catch(() => undefined);
    }
  }

  dispose(): void {
    this.open.dispose();
  }
}

class MarkdownPage<T extends object> {
  private rendered: string | undefined;
  private turn = 0;
  private isDisposed = false;

  constructor(
    readonly state: T,
    private readonly options: MarkdownPagesOptions<T>,
    readonly panel = vscode.window.createWebviewPanel(options.viewType, '', vscode.ViewColumn.Active, { enableFindWidget: true }),
  ) {
    this.panel.webview.options = { enableScripts: true, enableCommandUris: options.commands, localResourceRoots: [] };
    this.panel.onDidDispose(() => {
      this.isDisposed = true;
    });
  }

  /** Renders the page. Does nothing if the HTML is unchanged. */
  async draw(): Promise<void> {
    const { panel, state } = this;
    const { title, text, isWide } = this.options;
    const turn = ++this.turn;
    const body = await vscode.commands.executeCommand<string>('markdown.api.render', await text(state));
    // A later call renders the newer state.
    if (this.isDisposed || turn !== this.turn || body === this.rendered) {
      return;
    }
    this.rendered = body;
    panel.title = title(state);
    panel.webview.html = toPageHtml(body, state, panel.title, isWide);
  }
}

/** Returns the HTML of a page around `content`. The page saves its state and scroll position. It loads nothing and runs no other script. */
export function toPageHtml(content: string, state: object, title: string, isWide = false): string {
  return toDocument(title, nonce => ({
    sources: `style-src 'nonce-${nonce}'`,
    head: `<style nonce="${nonce}">${style}</style>`,
    body: `<body data-state="${escapeAttribute(JSON.stringify(state))}">
<main${isWide ? ' class="wide"' : ''}>${content}</main>
<script nonce="${nonce}">${script}</script>
</body>`,
  }));
}

const script = `
const host = acquireVsCodeApi();
const saved = { ...host.getState(), ...JSON.parse(document.body.dataset.state) };
host.setState(saved);
scrollTo(0, saved.scrolled || 0);
addEventListener('scrollend', () => host.setState({ ...saved, scrolled: scrollY }));
`;

const style = `
body { padding: 0 24px 24px; line-height: 1.5; }
main { max-width: 860px; margin: 0 auto; }
.wide { max-width: 1400px; }
.wide { overflow-x: auto; }
.wide table { width: 100%; margin: 12px 0; }
.wide :is(td, th) { overflow-wrap: break-word; }
.wide :is(td, th):nth-child(n + 7) { white-space: nowrap; }
.wide :is(td, th) { padding: 4px 12px 4px 0; }
.wide td { border-top: 1px solid var(--vscode-panel-border, var(--vscode-widget-border)); }
.wide :is(td, th):nth-child(n + 5) { text-align: end; }
h1 { margin: 20px 0 8px; font-size: 1.6em; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 24px 0 4px; padding-top: 12px; border-top: 1px solid var(--vscode-panel-border, var(--vscode-widget-border)); font-size: 1.1em; font-weight: 600; }
p { margin: 8px 0; overflow-wrap: anywhere; }
ul { margin: 4px 0; padding-inline-start: 20px; }
table { border-collapse: collapse; }
td, th { padding: 2px 16px 2px 0; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--vscode-descriptionForeground); font-weight: 400; }
td:first-child { color: var(--vscode-descriptionForeground); overflow-wrap: normal; }
thead:not(:has(th:not(:empty))) { display: none; }
main:not(.wide) td:first-child { min-width: 120px; }
a { color: var(--vscode-textLink-foreground); text-decoration: var(--text-link-decoration, none); }
p > a { display: inline-block; max-width: 100%; }
a:hover { color: var(--vscode-textLink-activeForeground); text-decoration: underline; }
a:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;
