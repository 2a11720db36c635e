import type * as vscode from 'vscode';
import { createShowError } from '../../../common/asking/showError';
import { isCancellation } from '../../../common/cancellation';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { BatchSheet } from './batchSheet';

/** The open sheets, one for each file. */
export class Sheets implements vscode.Disposable {
  private readonly open = new Map<string, BatchSheet>();

  private readonly showError: (error: unknown) => Promise<void>;

  constructor(private readonly deps: CreateBatchDependencies) {
    this.showError = createShowError(deps.log);
  }

  /** Shows the sheet of a file, or of the chosen requests of it, made and checked when there is none. */
  async show(target: vscode.Uri, mode: 'create' | 'estimate', chosen?: ChosenRequests): Promise<void> {
    const key = target.toString();
    const shown = this.open.get(key);
    if (shown?.isShown === true && shown.isAbout(chosen)) {
      await shown.reveal(mode);
      return;
    }
    // Asked again, or for other requests, while questions are open: those of the last time count.
    shown?.dispose();
    const sheet = new BatchSheet({
      ...{ ...this.deps, target, mode, chosen },
      otherColumn: () => [...this.open.values()].map(({ column }) => column).find(column => column !== undefined),
      showSheet: file => this.show(file, 'create'),
      onDispose: () => this.open.get(key) === sheet && this.open.delete(key),
      onError: error => {
        if (!isCancellation(error)) {
          void this.showError(error);
        }
      },
    });
    this.open.set(key, sheet);
    await sheet.start();
  }

  dispose(): void {
    for (const sheet of [...this.open.values()]) {
      sheet.dispose();
    }
  }
}
