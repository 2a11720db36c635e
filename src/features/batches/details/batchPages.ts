import * as vscode from 'vscode';
import { OpenPanels } from '../../../common/panels/openPanels';
import { describeError } from '../../../common/text/describeError';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { toLabel } from '../../../shared/text';
import { type BatchOrRun, parseReference } from '../runRow';
import type { BatchTexts } from './batchTexts';
import { toPageHtml } from './pageHtml';
import { pageCommands } from './pageLinks';

/** View type of the pages. */
const pageViewType = 'managedAgents.batch';

/** Open pages of batches and runs, at most one for each. Their links run commands. */
export class BatchPages implements vscode.Disposable {
  private readonly open = new OpenPanels<BatchPage>();

  constructor(private readonly texts: Pick<BatchTexts, 'page' | 'title' | 'isKnown'>) {}

  /** Opens or reveals the page of a batch or run. */
  async show(reference: BatchOrRun): Promise<void> {
    const create = () => vscode.window.createWebviewPanel(pageViewType, '', vscode.ViewColumn.Active, { enableFindWidget: true });
    await this.open.show(keyOf(reference), () => new BatchPage(reference, create(), this.texts)).draw();
  }

  /** Restores a page in a panel after a reload. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const reference = parseReference(state);
    if (reference === undefined) {
      panel.dispose();
      return;
    }
    await this.open.restore(keyOf(reference), panel, () => new BatchPage(reference, panel, this.texts))?.draw();
  }

  /** Refreshes pages, except those that would need a request to the service. */
  refresh(): void {
    for (const page of this.open.all) {
      if (this.texts.isKnown(page.reference)) {
        page.draw().catch(() => undefined);
      }
    }
  }

  dispose(): void {
    this.open.dispose();
  }
}

class BatchPage {
  private rendered: string | undefined;
  private turn = 0;
  private isDisposed = false;

  constructor(
    readonly reference: BatchOrRun,
    readonly panel: vscode.WebviewPanel,
    private readonly texts: Pick<BatchTexts, 'page' | 'title'>,
  ) {
    panel.webview.options = { enableScripts: true, enableCommandUris: pageCommands, localResourceRoots: [] };
    panel.onDidDispose(() => {
      this.isDisposed = true;
    });
  }

  /** Renders the page. Does nothing if the HTML is unchanged. */
  async draw(): Promise<void> {
    const { reference, panel, texts } = this;
    const turn = ++this.turn;
    const markdown = await texts.page(reference).catch(error => toProblem(error));
    const body = await vscode.commands.executeCommand<string>('markdown.api.render', markdown);
    // A later call renders the newer state.
    if (this.isDisposed || turn !== this.turn || body === this.rendered) {
      return;
    }
    this.rendered = body;
    panel.title = texts.title(reference);
    panel.webview.html = toPageHtml(body, reference, panel.title);
  }
}

function toProblem(error: unknown): string {
  return escapeMarkdown(vscode.l10n.t("Couldn't read: {0}", toLabel(describeError(error), 500)));
}

function keyOf({ connection, batchId, runId }: BatchOrRun): string {
  return JSON.stringify([connection, runId ?? batchId]);
}
