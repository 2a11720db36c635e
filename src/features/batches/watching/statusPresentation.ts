import { describeDuration, describeSince, join, type PresentationContext } from '../../../common/text/presentation';
import type { SubmissionReference } from '../../../contributions';
import type { Run, Submission } from '../../ledger';
import { type BatchContext, labelOfSource } from '../batchPresentation';
import { describeTimes } from '../batchTimes';
import { describeOutcomeOf, isPending, needsReview, type RunSummary, unsentOf } from './runSummary';

/** What the status bar shows. */
export interface StatusPresentation {
  readonly text: string;
  /** One line for each run, as plain text. */
  readonly tooltip: readonly string[];
  /** The same for screen readers. */
  readonly spoken: string;
  readonly needsUser: boolean;
  /** The one thing that needs the user; without it a click leads to the view. */
  readonly resolve: SubmissionReference | undefined;
}

/** Lines of a tooltip; more are counted. */
const mostLines = 12;

/** What runs, what has ended unseen and what needs the user; undefined when there is nothing to tell. */
export function presentStatus({ running, ended, unknown }: RunSummary, context: BatchContext): StatusPresentation | undefined {
  if (running.length + ended.length + unknown.length === 0) {
    return undefined;
  }
  const { translate, locale, now } = context;
  const [oldest] = running;
  const [onlyUnknown] = unknown;
  const elapsed = oldest === undefined ? '' : describeDuration(now - Date.parse(oldest.startedAt), locale);
  const troubled = ended.some(needsReview);
  const parts = [
    unknown.length > 0 ? `$(question) ${unknown.length}` : '',
    running.length > 0 ? `$(sync~spin) ${running.length} · ${elapsed}` : '',
    ended.length > 0 ? `$(${troubled ? 'warning' : 'pass'}) ${ended.length}` : '',
  ];
  const count = unknown.length + running.length + ended.length;
  const told = [
    ...unknown.slice(0, mostLines).map(one => () => lineOf(one, translate('not known whether it was created'), context)),
    ...running.slice(0, mostLines).map(run => () => lineOf(run, describeRunning(run, context), context)),
    ...ended.slice(0, mostLines).map(run => () => lineOf(run, describeEnded(run, context), context)),
  ];
  const lines = told.slice(0, mostLines).map(line => line());
  const more = count - mostLines;
  return {
    text: join('  ', ...parts),
    tooltip: more > 0 ? [...lines, translate('and {0} more', more)] : lines,
    spoken: join(
      ', ',
      unknown.length > 0 ? translate('Batches waiting for you: {0}', unknown.length) : '',
      running.length > 0 ? translate('Batches running: {0}, the oldest for {1}', running.length, elapsed) : '',
      ended.length > 0 ? translate('Batches ended since you looked: {0}', ended.length) : '',
    ),
    needsUser: unknown.length > 0,
    resolve: onlyUnknown !== undefined && count === 1 ? { submissionId: onlyUnknown.id } : undefined,
  };
}

function lineOf({ source, startedAt }: Run | Submission, state: string, context: BatchContext): string {
  return `${labelOfSource(source, context, 60)}: ${join(' · ', state, describeSince(startedAt, context))}`;
}

function describeEnded(run: Run, context: PresentationContext): string {
  return join(' · ', context.translate('ended: {0}', describeOutcomeOf(run, context)), describeUnsent(run, context));
}

function describeUnsent(run: Run, { translate }: PresentationContext): string {
  const unsent = run.parts > 1 ? unsentOf(run) : 0;
  return unsent === 0 ? '' : translate('{0} of {1} parts not sent', unsent, run.parts);
}

function describeRunning(run: Run, context: PresentationContext): string {
  const { submissions, parts } = run;
  const { translate } = context;
  if (submissions.some(({ state }) => state === 'sending')) {
    return translate('sending');
  }
  const pending = submissions.filter(isPending);
  const [first] = pending;
  const canceling = pending.some(({ batch }) => batch?.processing_status === 'canceling');
  const state = canceling ? translate('canceling') : translate('in progress');
  const times = first?.batch === undefined ? '' : describeTimes(first.batch, first, context);
  return join(
    ' · ',
    parts > 1 ? translate('{0} of {1} batches', pending.length, parts) : '',
    // What is being canceled has been running for that long, not canceling.
    join(canceling ? ' · ' : ' ', state, times),
    describeUnsent(run, context),
  );
}
