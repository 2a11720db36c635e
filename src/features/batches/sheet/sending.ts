import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient';
import { askModal } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { toNumber } from '../../../shared/formats';
import { toByteSize, toLabel } from '../../../shared/text';
import type { ModelEstimate, Submission } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { type RunOutcome, type RunProgress, type RunRequest, sendRun } from '../groups/sendRun';
import type { Prediction } from './prediction';
import type { Outgoing } from './preparedContent';
import type { SheetFacts } from './presentation/sheetFacts';

/** Sends a checked file to the service once, and reports the progress and the outcome. Continues if its sheet is closed. */
export class Sending {
  readonly outcome: Promise<RunOutcome>;
  state: RunProgress = { share: 0, index: 0, isWaiting: false };
  private readonly user = new AbortController();
  private readonly bodyBytes: number;
  private reportProgress: () => void;

  constructor(
    private readonly deps: BatchDependencies,
    private readonly request: RunRequest,
    chosen: Uint32Array | undefined,
    onProgress: () => void,
  ) {
    this.reportProgress = onProgress;
    this.bodyBytes = request.parts.reduce((sum, part) => sum + (part ?? request.report).bodyBytes, 0);
    this.outcome = sendRun(deps, request, chosen, {
      signal: AbortSignal.any([this.user.signal, deps.lifetime]),
      onProgress: progress => this.become(progress),
      onCreated: ({ batch }) => deps.onBatchChanged?.(request.connection, batch),
    });
  }

  cancel(): void {
    this.user.abort();
  }

  /** Shows the progress as a notification with a Cancel button while there is no sheet. */
  showElsewhere(fileName: string): void {
    const { deps, request, user } = this;
    const title = vscode.l10n.t('Sending {0} to {1}', toLabel(fileName, 80), toLabel(request.connection, 80));
    const shown = withProgress(title, deps.lifetime, (signal, report) => {
      signal.addEventListener('abort', () => user.abort(), { once: true });
      this.reportProgress = () => report(this.describe(), this.state.share);
      this.reportProgress();
      return this.outcome;
    });
    // The code that started sending reports the error.
    shown.catch(() => {});
  }

  private describe(): string {
    const { bodyBytes } = this;
    const { share, index } = this.state;
    const locale = vscode.env.language;
    const count = this.request.parts.length;
    if (count > 1) {
      return vscode.l10n.t('part {0} of {1}', index + 1, count);
    }
    return share < 1
      ? vscode.l10n.t('{0} of {1}', toByteSize(share * bodyBytes, locale), toByteSize(bodyBytes, locale))
      : vscode.l10n.t('{0} sent, waiting for the answer', toByteSize(bodyBytes, locale));
  }

  /** Updates the state. The share is rounded down to whole percents, so it is 1 only once everything was sent. */
  private become(progress: RunProgress): void {
    const share = Math.floor(progress.share * 100) / 100;
    const { state } = this;
    if (share > state.share || progress.index !== state.index || progress.isWaiting !== state.isWaiting) {
      this.state = { ...progress, share };
      this.reportProgress();
    }
  }
}

/** Returns the run that a sheet asks for. `repeats` are the earlier submissions of the same content that the sheet shows. */
export function toRunRequest(
  { content, report, selected, parts, purpose, follows }: Outgoing,
  target: { readonly source: string; readonly connection: string; readonly client: ServiceClient },
  repeats: readonly Submission[],
  prediction: Prediction | undefined,
): RunRequest {
  const { submissionId, path, fromEditor } = content;
  const estimate = prediction?.models.map(({ model, input, output, cacheMix, ...one }): ModelEstimate => {
    const { maxOutput, cached5m, cached1h, template, text } = one;
    return {
      ...{ model, inputLow: input.low, inputHigh: input.high, maxOutput, cached5m, cached1h, template, text, input: input.likely },
      ...(output && { output: { low: output.low, likely: output.likely, high: output.high } }),
      ...(cacheMix && { cacheMix }),
    };
  });
  return {
    ...{ ...target, submissionId, path, fromEditor, report, purpose },
    parts: parts ?? [selected],
    knownBefore: new Set(repeats.map(({ id }) => id)),
    ...(follows && { follows }),
    ...(estimate && { estimate }),
  };
}

/** Number of batches that suggests a wrong limit of the connection. */
const manyBatches = 100;

/** Asks for confirmation if sending takes at least `manyBatches`. */
export async function confirmBatchCount({ outgoing, limits, fileName }: SheetFacts): Promise<boolean> {
  const count = outgoing?.parts?.length ?? 1;
  if (outgoing === undefined || count < manyBatches) {
    return true;
  }
  const { t } = vscode.l10n;
  const locale = vscode.env.language;
  const create = t('Create {0} Batches', toNumber(count, locale));
  const detail = t(
    '{0} has {1} requests of {2}. A batch can have at most {3} requests and {4}.',
    toLabel(fileName, 80),
    toNumber(outgoing.requestCount, locale),
    toByteSize(outgoing.bodyBytes, locale),
    toNumber(limits.maxRequests, locale),
    toByteSize(limits.maxBytes, locale),
  );
  return (await askModal(t('Create {0} batches from one file?', toNumber(count, locale)), { detail }, create)) === create;
}
