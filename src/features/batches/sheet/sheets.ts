import * as vscode from 'vscode';
import * as z from 'zod';
import { createShowError } from '../../../common/asking/showError';
import { isCancellation } from '../../../common/cancellation';
import { describeError } from '../../../common/text/describeError';
import type { SheetMode } from '../../../shared/sheet/sheetProtocol';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { BatchSheet } from './batchSheet';
import { bringRequests } from './keptRequests';

/** A sheet that is shown: `closed` settles when it no longer is. What was sent from it is in the ledger by then, or is being sent. */
export interface ShownSheet {
  readonly closed: Promise<void>;
}

/** The open sheets, one for each file. */
export class Sheets implements vscode.Disposable {
  private readonly open = new Map<string, ShownSheet & { readonly sheet: BatchSheet }>();

  private readonly showError: (error: unknown) => Promise<void>;

  constructor(private readonly deps: CreateBatchDependencies) {
    this.showError = createShowError(deps.log);
  }

  /**
   * Shows the sheet of a file again in the panel that a reloaded window restored, and checks the file again without asking anything. Closes
   * the panel if not all of its chosen requests were kept, if its requests were sent while it was open, or if the file can't be read any
   * more.
   */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { target, mode, chosen: kept, shownAt } = sheetStateSchema.catch({}).parse(state);
    const chosen = kept === undefined ? undefined : bringRequests(kept);
    await this.deps.connections.whenKnown;
    await this.deps.registry.load();
    // Of chosen requests never the whole file.
    const isSent = target !== undefined && shownAt !== undefined && this.wasSentSince(target, shownAt);
    if (target === undefined || isSent || this.open.has(target) || (kept !== undefined && chosen === undefined)) {
      panel.dispose();
      return;
    }
    try {
      await this.begin(vscode.Uri.parse(target), mode ?? 'create', { brought: panel, chosen });
    } catch (error) {
      panel.dispose();
      this.deps.log.warn(`A sheet could not be shown again: ${describeError(error)}`);
    }
  }

  /** Returns whether requests of a file were sent since a moment and may have become a batch. */
  private wasSentSince(source: string, moment: number): boolean {
    const sent = this.deps.registry.findBySource(source);
    return sent.some(({ state, startedAt }) => state !== 'failed' && state !== 'abandoned' && Date.parse(startedAt) >= moment);
  }

  /** Shows the sheet of a file, or of the chosen requests of it, made and checked when there is none. */
  async show(target: vscode.Uri, mode: SheetMode, chosen?: ChosenRequests): Promise<ShownSheet> {
    const key = target.toString();
    const shown = this.open.get(key);
    if (shown?.sheet.isShown === true && shown.sheet.isAbout(chosen)) {
      await shown.sheet.reveal(mode);
      return { closed: shown.closed };
    }
    // Asked again, or for other requests, while questions are open: those of the last time count.
    shown?.sheet.dispose();
    return await this.begin(target, mode, { chosen });
  }

  dispose(): void {
    for (const { sheet } of [...this.open.values()]) {
      sheet.dispose();
    }
  }

  private async begin(
    target: vscode.Uri,
    mode: SheetMode,
    { chosen, brought }: { readonly chosen?: ChosenRequests | undefined; readonly brought?: vscode.WebviewPanel },
  ): Promise<ShownSheet> {
    const key = target.toString();
    let close = () => {};
    const closed = new Promise<void>(resolve => {
      close = resolve;
    });
    const sheet = new BatchSheet({
      ...{ ...this.deps, target, mode, chosen, brought },
      otherColumn: () => [...this.open.values()].map(({ sheet: { column } }) => column).find(column => column !== undefined),
      showSheet: async file => {
        await this.show(file, 'create');
      },
      onDispose: () => {
        close();
        if (this.open.get(key)?.sheet === sheet) {
          this.open.delete(key);
        }
        this.keepReady();
      },
      onError: error => {
        if (!isCancellation(error)) {
          void this.showError(error);
        }
      },
    });
    this.open.set(key, { sheet, closed });
    this.keepReady();
    await sheet.start();
    return { closed };
  }

  private keepReady(): void {
    this.deps.jobs.keepReady('openSheets', this.open.size > 0);
  }
}

const sheetStateSchema = z.object({
  target: z.string().max(10_000).optional(),
  mode: z.enum(['create', 'estimate']).optional(),
  chosen: z.unknown().optional(),
  shownAt: z.number().optional(),
});
