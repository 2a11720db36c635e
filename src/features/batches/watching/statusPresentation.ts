import { describeDuration, describeSince } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import { join } from '../../../shared/text';
import type { Run, Submission } from '../../ledger';
import { type BatchContext, labelOfSource } from '../batchPresentation';
import { describeRun, isRunUnderWay } from '../runPresentation';
import { isPending, lacksGoodResults, partsOf } from '../runRow';
import type { RunSummary } from './runSummary';

const maxLines = 12;

/**
 * Describes batches that are running, that ended since the user saw the view, or that need the user. `undefined` if there are no such
 * batches. `tooltip` has a line for each run. `resolve` is the submission that needs the user, if there is nothing else to show.
 */
export function presentStatus({ running, ended, unknown }: RunSummary, context: BatchContext) {
  if (running.length + ended.length + unknown.length === 0) {
    return undefined;
  }
  const { translate, locale, now } = context;
  const [oldest] = running;
  const [onlyUnknown] = unknown;
  const elapsed = oldest === undefined ? '' : describeDuration(now - Date.parse(oldest.startedAt), locale);
  const hasFailures = ended.some(lacksGoodResults);
  const number = (value: number) => numberFormat(locale).format(value);
  const unknownText = unknown.length === 1 ? translate('1 batch needs you') : translate('{0} batches need you', number(unknown.length));
  const runningCount = countBatches(running, one => one.state === 'sending' || isPending(one));
  const endedCount = countBatches(ended, ({ batchId, deleted }) => batchId !== undefined && deleted !== true);
  const runningText = runningCount === 1 ? translate('1 batch running') : translate('{0} batches running', number(runningCount));
  const endedText = endedCount === 1 ? translate('1 batch ended') : translate('{0} batches ended', number(endedCount));
  const parts = [
    unknown.length > 0 ? `$(question) ${unknownText}` : '',
    running.length > 0 ? `$(sync~spin) ${runningText} · ${elapsed}` : '',
    ended.length > 0 ? `$(${hasFailures ? 'warning' : 'pass'}) ${endedText}` : '',
  ];
  const count = unknown.length + running.length + ended.length;
  const shown = [...unknown, ...running, ...ended].slice(0, maxLines);
  const lines = shown.map(one => lineOf(one, context));
  const more = count - maxLines;
  return {
    text: join('  ', ...parts),
    tooltip: more > 0 ? [...lines, translate('and {0} more', more)] : lines,
    spoken: join(
      ', ',
      unknown.length > 0 ? unknownText : '',
      running.length > 0 ? translate('Batches running: {0}, the oldest for {1}', number(runningCount), elapsed) : '',
      ended.length > 0 ? translate('Batches ended since your last visit: {0}', number(endedCount)) : '',
    ),
    needsUser: unknown.length > 0,
    resolve: onlyUnknown !== undefined && count === 1 ? { submissionId: onlyUnknown.id } : undefined,
  };
}

function countBatches(runs: readonly Run[], counts: (submission: Submission) => boolean): number {
  return runs.reduce((sum, { submissions }) => sum + submissions.filter(counts).length, 0);
}

function lineOf(one: Run | Submission, context: BatchContext): string {
  const name = labelOfSource(one.source, context, 60);
  const age = describeSince(one.startedAt, context);
  if (!('parts' in one)) {
    return `${name}: ${join(' · ', context.translate('response lost, a batch may exist'), age)}`;
  }
  const row = { run: one, parts: partsOf(one) };
  return `${name}: ${join(' · ', describeRun(row, context), isRunUnderWay(row) ? '' : age)}`;
}
