import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { withProgress } from '../../../common/progress';
import { toByteSize, toLabel } from '../../../common/text';
import type { CreateBatchDependencies } from '../submitting/createBatch';
import { type SubmitOutcome, type SubmitRequest, submit } from '../submitting/submit';

/** One submit of a checked file: how far it is, and its end. It goes on when the sheet is closed that began it. */
export class Sending {
  readonly outcome: Promise<SubmitOutcome>;
  private readonly user = new AbortController();
  private percent = 0;
  private sent = 0;
  private tell: () => void;

  /** Begins at once. `onProgress` is called when a person can see the difference. */
  constructor(
    private readonly deps: CreateBatchDependencies,
    private readonly request: SubmitRequest,
    onProgress: () => void,
  ) {
    const { lifetime } = deps;
    this.tell = onProgress;
    this.outcome = this.run(AbortSignal.any([this.user.signal, lifetime]));
  }

  /** Of the body, from 0 to 1; 1 only when all of it has left. */
  get share(): number {
    return this.percent / 100;
  }

  cancel(): void {
    this.user.abort();
  }

  /** Shows it as a notification with a Cancel button, for the time in which there is no sheet. */
  showElsewhere(fileName: string): void {
    const { deps, request, user } = this;
    const locale = vscode.env.language;
    const { bodyBytes } = request.report;
    const title = vscode.l10n.t('Sending {0} to {1}', toLabel(fileName, 80), toLabel(request.connection, 80));
    const shown = withProgress(title, deps.lifetime, (signal, report) => {
      signal.addEventListener('abort', () => user.abort(), { once: true });
      this.tell = () =>
        report(
          this.share < 1
            ? vscode.l10n.t('{0} of {1}', toByteSize(this.sent, locale), toByteSize(bodyBytes, locale))
            : vscode.l10n.t('{0} sent, waiting for the answer', toByteSize(bodyBytes, locale)),
          this.share,
        );
      this.tell();
      return this.outcome;
    });
    // Whoever began it tells how it ended.
    shown.catch(() => {});
  }

  private async run(signal: AbortSignal): Promise<SubmitOutcome> {
    const { registry, jobs, log, clock = systemClock, onBatchChanged } = this.deps;
    const { bodyBytes } = this.request.report;
    const outcome = await submit({ registry, jobs, clock, log }, this.request, {
      signal,
      onProgress: sent => {
        this.sent = sent;
        const percent = Math.floor((sent / bodyBytes) * 100);
        if (percent > this.percent) {
          this.percent = percent;
          this.tell();
        }
      },
    });
    if (outcome.kind === 'created') {
      onBatchChanged?.(this.request.connection, outcome.batch);
    }
    return outcome;
  }
}
