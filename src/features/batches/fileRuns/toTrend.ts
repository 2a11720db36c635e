import { join } from '../../../common/text/presentation';
import { statusCounts } from '../../../jsonl/results/resultsReport';
import { numberFormat } from '../../../shared/formats';
import { resultsOf } from '../../ledger';
import type { MoneyRange } from '../sheet/presentation/estimateMoney';
import type { FileRun } from './fileRuns';
import { actualCost, describeCost } from './runCost';
import type { RunRowContext } from './runPresentation';

const mostRuns = 12;
const bars = '▁▂▃▄▅▆▇█';

/**
 * A picture of how the runs of a whole file fared, the oldest first: `▅▆█ 71% → 98% succeeded · cost █▅▃ $0.40 → $0.21`. Bars begin at
 * nothing, those of shares end at all. `runs` are newest first. Empty while fewer than two have results.
 */
export function toTrend(runs: readonly FileRun[], context: RunRowContext): string {
  const { translate: t, locale, prices } = context;
  // What a canary, a rest or a retry asked is a part of the file, whose numbers say nothing beside those of the whole.
  const compared = runs
    .flatMap(({ run, isOwn }) => {
      const report = isOwn && (run.lead.selection?.purpose ?? 'part') === 'part' ? resultsOf(run)?.report : undefined;
      return report === undefined ? [] : [{ run, report }];
    })
    .slice(0, mostRuns)
    .reverse();
  if (compared.length < 2) {
    return '';
  }
  const shares = compared.map(({ run, report }) => {
    const requests = run.submissions.reduce((sum, { requestCount }) => sum + requestCount, 0);
    return requests === 0 ? 0 : statusCounts(report).succeeded / requests;
  });
  const percent = numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const [firstShare, lastShare] = ends(shares).map(share => percent.format(share));
  const costs = compared.flatMap(({ run }) => actualCost(run, prices) ?? []);
  const [firstCost, lastCost] = ends(costs).map(cost => describeCost(cost, context));
  return join(
    ' · ',
    t('{0} {1} → {2} succeeded', draw(shares, 1), firstShare ?? '', lastShare ?? ''),
    costs.length < compared.length ? '' : t('cost {0} {1} → {2}', draw(costs.map(middle)), firstCost ?? '', lastCost ?? ''),
  );
}

function ends<T>(values: readonly T[]): readonly T[] {
  return [...values.slice(0, 1), ...values.slice(-1)];
}

function middle({ low, high }: MoneyRange): number {
  return (low + high) / 2;
}

function draw(values: readonly number[], most = Math.max(...values)): string {
  return values.map(value => bars[most === 0 ? 0 : Math.round((value / most) * (bars.length - 1))] ?? '').join('');
}
