import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { RequestBudget } from '../../../common/lists/requestBudget';
import { describeError } from '../../../common/text/describeError';
import { sheetStateSchema } from '../../../shared/sheet/fromSheetSchema';
import type { SheetWish } from '../../../shared/sheet/sheetProtocol';
import { mayHaveBatch, type Submission } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { BatchSheet, type BatchSheetOptions } from './batchSheet';

/** A visible sheet. `closed` resolves when it is closed. Everything sent from it is then in the ledger or being sent. */
export interface ShownSheet {
  readonly closed: Promise<void>;
}

/** Maximum number of token counts per connection, in one minute and in one burst. A burst is larger than a sample. */
const countsPerMinute = 60;
const countsAtOnce = 100;

/** The open sheets, one for each file. */
export class Sheets implements vscode.Disposable {
  private readonly open = new Map<string, BatchSheet>();
  private readonly countBudgets = new Map<string, RequestBudget>();

  constructor(private readonly deps: BatchDependencies) {}

  /**
   * Restores a sheet in its panel without asking. Closes the panel if the file was sent since the sheet was shown, the sheet is open
   * already, or the file is unreadable.
   */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { target, shownAt, wish } = sheetStateSchema.catch({}).parse(state);
    await this.deps.connections.whenKnown;
    await this.deps.registry.load();
    const isSent = ({ startedAt, ...sent }: Submission) =>
      mayHaveBatch(sent) && Date.parse(startedAt) >= (shownAt ?? Number.POSITIVE_INFINITY);
    if (target === undefined || this.deps.registry.findBySource(target).some(isSent) || this.open.has(target)) {
      panel.dispose();
      return;
    }
    try {
      await this.create(vscode.Uri.parse(target), { isToSend: true, wish, brought: panel });
    } catch (error) {
      panel.dispose();
      this.deps.log.warn(`A sheet could not be shown again: ${describeError(error)}`);
    }
  }

  /** Shows the sheet of a file. With `isToSend`, asks the user for a missing connection. */
  async show(
    target: vscode.Uri,
    { wish, isToSend = true }: { readonly wish?: SheetWish | undefined; readonly isToSend?: boolean } = {},
  ): Promise<ShownSheet> {
    const key = target.toString();
    const shown = this.open.get(key);
    if (shown?.isShown === true) {
      await shown.reveal(wish, isToSend);
      return shown;
    }
    // Replaces a sheet that is still asking the user for a connection.
    shown?.dispose();
    return await this.create(target, { wish, isToSend, brought: undefined });
  }

  dispose(): void {
    for (const sheet of [...this.open.values()]) {
      sheet.dispose();
    }
  }

  private async create(target: vscode.Uri, shown: Pick<BatchSheetOptions, 'wish' | 'isToSend' | 'brought'>): Promise<ShownSheet> {
    const key = target.toString();
    const sheet = new BatchSheet({
      ...{ ...this.deps, ...shown, target },
      countBudget: connection => {
        const budget = this.countBudgets.get(connection) ?? new RequestBudget(systemClock, countsPerMinute, countsAtOnce);
        this.countBudgets.set(connection, budget);
        return budget;
      },
      freeColumn: () => this.freeColumnFor(key),
      onDispose: () => {
        if (this.open.get(key) === sheet) {
          this.open.delete(key);
        }
        this.keepReady();
      },
    });
    this.open.set(key, sheet);
    this.keepReady();
    await sheet.start();
    return sheet;
  }

  private freeColumnFor(target: string): vscode.ViewColumn {
    const { activeTabGroup, all } = vscode.window.tabGroups;
    const other = [...this.open.values()].map(({ column }) => column).find(column => column !== undefined);
    if (other !== undefined && all.length > 1) {
      return other;
    }
    const shown = activeTabGroup.activeTab?.input;
    const isFileShown = shown instanceof vscode.TabInputText && shown.uri.toString() === target;
    return isFileShown ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  }

  private keepReady(): void {
    this.deps.jobs.keepReady('openSheets', this.open.size > 0);
  }
}
