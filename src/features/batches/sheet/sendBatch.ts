import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { withProgress } from '../../../common/progress';
import { toByteSize, toLabel } from '../../../common/text';
import type { CreateBatchDependencies } from '../createBatch';
import { type SubmitOutcome, type SubmitRequest, submit } from '../submit';

/** Submits a checked file once, with its progress and a Cancel button as a notification. */
export async function sendBatch(deps: CreateBatchDependencies, request: SubmitRequest, fileName: string): Promise<SubmitOutcome> {
  const { registry, jobs, log, clock = systemClock, lifetime, onBatchChanged } = deps;
  const { bodyBytes } = request.report;
  const locale = vscode.env.language;
  const title = vscode.l10n.t('Sending {0} to {1}', toLabel(fileName, 80), toLabel(request.connection, 80));
  const outcome = await withProgress(title, lifetime, (signal, report) =>
    submit({ registry, jobs, clock, log }, request, {
      signal,
      onProgress: sent =>
        report(
          sent < bodyBytes
            ? vscode.l10n.t('{0} of {1}', toByteSize(sent, locale), toByteSize(bodyBytes, locale))
            : vscode.l10n.t('{0} sent, waiting for the answer', toByteSize(bodyBytes, locale)),
          sent / bodyBytes,
        ),
    }),
  );
  if (outcome.kind === 'created') {
    onBatchChanged?.(request.connection, outcome.batch);
  }
  return outcome;
}
