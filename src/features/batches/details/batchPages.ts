import * as vscode from 'vscode';
import { OpenPanels } from '../../../common/panels/openPanels';
import { describeError } from '../../../common/text/describeError';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { toLabel } from '../../../shared/text';
import { type BatchOrRun, parseReference } from '../runRow';
import type { BatchTexts } from './batchTexts';
import { MarkdownPage } from './markdownPage';
import { pageCommands } from './pageLinks';

/** View type of the pages. */
const pageViewType = 'managedAgents.batch';

/** Open pages of batches and runs, at most one for each. Their links run commands. */
export class BatchPages implements vscode.Disposable {
  private readonly open = new OpenPanels<MarkdownPage<BatchOrRun>>();

  constructor(private readonly texts: Pick<BatchTexts, 'page' | 'title' | 'isKnown'>) {}

  /** Opens or reveals the page of a batch or run. */
  async show(reference: BatchOrRun): Promise<void> {
    await this.open.show(keyOf(reference), () => this.create(reference)).draw();
  }

  /** Restores a page in a panel after a reload. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const reference = parseReference(state);
    if (reference === undefined) {
      panel.dispose();
      return;
    }
    await this.open.restore(keyOf(reference), panel, () => this.create(reference, panel))?.draw();
  }

  /** Refreshes pages, except those that would need a request to the service. */
  refresh(): void {
    for (const page of this.open.all) {
      if (this.texts.isKnown(page.state)) {
        page.draw().catch(() => undefined);
      }
    }
  }

  dispose(): void {
    this.open.dispose();
  }

  private create(reference: BatchOrRun, panel?: vscode.WebviewPanel): MarkdownPage<BatchOrRun> {
    const { texts } = this;
    return new MarkdownPage({
      ...{ panel, viewType: pageViewType, commands: pageCommands, state: reference },
      title: () => texts.title(reference),
      text: () => texts.page(reference).catch(error => toProblem(error)),
    });
  }
}

function toProblem(error: unknown): string {
  return escapeMarkdown(vscode.l10n.t("Couldn't read: {0}", toLabel(describeError(error), 500)));
}

function keyOf({ connection, batchId, runId }: BatchOrRun): string {
  return JSON.stringify([connection, runId ?? batchId]);
}
