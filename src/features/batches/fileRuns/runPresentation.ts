import type { Prices } from '../../../common/readPrices';
import { describeSince, describeTime, join } from '../../../common/text/presentation';
import { describeFacts } from '../../../jsonl/results/resultsSummary';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { hasBatch, type Run, resultsOf } from '../../ledger';
import { type BatchContext, describeRunKind, describeState, labelOfSource, presentSubmission } from '../batchPresentation';
import { toMoneyRange } from '../sheet/presentation/estimateMoney';
import type { FileRun } from './fileRuns';
import { actualCost, describeCost, estimatedCost, modelsOf } from './runCost';

/** How a run stands in the list of its file. */
export interface RunRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** What a row is made with. */
export interface RunRowContext extends BatchContext {
  readonly prices: Prices;
  readonly currency: string;
}

const modelsShown = 3;

/** What a run is and when it began, where and of what it was asked; below it what became of it and what it cost. */
export function presentRun({ run, isOwn }: FileRun, isShown: boolean, context: RunRowContext): RunRow {
  const { translate: t } = context;
  const models = modelsOf(run).map(model => toLabel(model, 40));
  const rest = models.length - modelsShown;
  const named = models.slice(0, modelsShown).join(', ');
  return {
    label: t('{0}, {1}', describeRunKind(run, context), describeTime(run.startedAt, context)),
    description: join(
      ' · ',
      isShown ? t('shown at the lines') : '',
      describeSince(run.startedAt, context),
      toLabel(run.connection, 40),
      rest > 0 ? t('{0} and {1} more', named, rest) : named,
      isOwn ? '' : labelOfSource(run.source, context, 60),
    ),
    detail: join(' · ', ...toDetail(run, context)),
  };
}

function toDetail(run: Run, context: RunRowContext): readonly string[] {
  const { translate: t, locale } = context;
  const number = numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const report = resultsOf(run)?.report;
  const estimate = estimatedCost(run, context.prices);
  const estimated = estimate === undefined ? '' : t('estimated {0}', toMoneyRange(estimate, context));
  const requests = run.submissions.reduce((sum, { requestCount }) => sum + requestCount, 0);
  if (report === undefined) {
    return [requests === 1 ? t('1 request') : t('{0} requests', numberFormat(locale).format(requests)), toState(run, context), estimated];
  }
  const actual = actualCost(run, context.prices);
  return [
    describeFacts(report, context),
    actual === undefined ? t('cost unknown') : t('cost {0}', describeCost(actual, context)),
    estimated === '' && actual !== undefined ? t('estimate unknown') : estimated,
    t('{0} → {1} tokens', number.format(report.inputTokens), number.format(report.outputTokens)),
  ];
}

function toState(run: Run, context: RunRowContext): string {
  const { translate: t } = context;
  const waiting = run.submissions.find(({ state, batch }) => state !== 'created' || batch?.processing_status !== 'ended') ?? run.lead;
  if (!hasBatch(run) || waiting.state !== 'created') {
    return presentSubmission(waiting, context).description;
  }
  if (waiting.deleted === true) {
    return t('batch deleted');
  }
  const { batch } = waiting;
  return batch === undefined ? '' : batch.processing_status === 'ended' ? t('ended, results not fetched') : describeState(batch, context);
}
