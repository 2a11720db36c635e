import type { DerivedFile, Submission, SubmissionState } from './submission';

/** Kinds of steps of a submission. Unknown kinds of newer versions are stored and shown unchanged. */
export type StepKind =
  /** Saved on this machine. Nothing was sent. */
  | 'written'
  /** The connection is open and accepts the body. */
  | 'uploading'
  /** Saved before the last byte of the body is sent. From then on, there may be a batch. */
  | 'handed_out'
  /** The service responded with a batch. */
  | 'created'
  /** It is unknown whether a batch was created. */
  | 'lost'
  /** The service created nothing. */
  | 'failed'
  | 'looked'
  /** The list was not searched, because the connection now leads to another service. */
  | 'elsewhere'
  /** A batch from the list was linked to the submission. */
  | 'adopted'
  /** A batch created elsewhere was linked to a file. */
  | 'linked'
  /** The user marked the submission as not created. */
  | 'abandoned'
  | 'canceling'
  | 'ended'
  | 'fetched'
  | 'deleted';

export interface SubmissionStep {
  /** A `StepKind`, or the name of a step of a newer version. */
  readonly what: string;
  /** RFC 3339, this machine's clock. For a repeated step, the latest time. */
  readonly at: string;
  /** Reason, as shown to the user. */
  readonly note?: string;
  readonly batchId?: string;
  /** Number of repetitions. Absent if the step happened once. */
  readonly times?: number;
  /** Number of possible batches that a search found. */
  readonly candidates?: number;
  /** Number of batches that a search read. */
  readonly listed?: number;
}

/** Maximum number of stored steps: the first and the latest steps. */
const maxSteps = 80;
const maxFirstSteps = 10;
const longestNote = 600;

/** Appends steps and keeps at most `maxSteps`. Combines consecutive searches with the same result. */
export function addSteps(known: readonly SubmissionStep[], further: readonly SubmissionStep[]): readonly SubmissionStep[] {
  const steps = [...known];
  for (const step of further) {
    const last = steps.at(-1);
    if (last !== undefined && isSameSearch(last, step)) {
      steps[steps.length - 1] = { ...step, times: (last.times ?? 1) + 1 };
    } else {
      steps.push(step.note === undefined ? step : { ...step, note: step.note.slice(0, longestNote) });
    }
  }
  return steps.length <= maxSteps ? steps : [...steps.slice(0, maxFirstSteps), ...steps.slice(maxFirstSteps - maxSteps)];
}

function isSameSearch(a: SubmissionStep, b: SubmissionStep): boolean {
  return (a.what === 'looked' || a.what === 'elsewhere') && a.what === b.what && a.candidates === b.candidates && a.note === b.note;
}

/** Returns the part of a change that doesn't step back. A late response does not replace a known outcome. */
export function withoutSteppingBack(before: Submission, change: Partial<Submission>): Partial<Submission> {
  const forward: { -readonly [field in keyof Submission]?: Submission[field] } = { ...change };
  delete forward.steps;
  if (forward.state !== undefined && rankOfState[forward.state] < rankOfState[before.state]) {
    delete forward.state;
    delete forward.problem;
  }
  if (before.handedOut === true) {
    delete forward.handedOut;
  }
  if (forward.made !== undefined) {
    forward.made = addDerived(before.made ?? [], forward.made);
  }
  if (forward.batch !== undefined && forward.batch.id === before.batch?.id && rankOfBatch(forward) < rankOfBatch(before)) {
    delete forward.batch;
  }
  return forward;
}

const maxDerived = 100;

/** Merges the files of two windows. Adds new files, and updates a known file if it moved. */
function addDerived(known: readonly DerivedFile[], given: readonly DerivedFile[]): readonly DerivedFile[] {
  const isSame = (one: DerivedFile, other: DerivedFile) => one.sha256 === other.sha256 && one.madeAt === other.madeAt;
  const isKnown = (file: DerivedFile) => known.some(one => isSame(one, file) || (one.source === file.source && one.sha256 === file.sha256));
  return [...known.map(one => given.find(file => isSame(one, file)) ?? one), ...given.filter(file => !isKnown(file))].slice(-maxDerived);
}

/** Returns the steps that a change adds. `at` is RFC 3339. */
export function stepsOf(before: Submission, change: Partial<Submission>, at: string): readonly SubmissionStep[] {
  const steps: SubmissionStep[] = [];
  if (change.handedOut === true && before.handedOut !== true) {
    steps.push({ what: 'handed_out', at });
  }
  if (change.search !== undefined) {
    const { candidates, listed, elsewhere } = change.search;
    const open = candidates.filter(({ ids }) => ids !== 'different').length;
    steps.push(elsewhere === undefined ? { what: 'looked', at, candidates: open, listed } : { what: 'elsewhere', at, note: elsewhere });
  }
  if (change.state !== undefined && change.state !== before.state) {
    steps.push(...stepsOfState(before.state, { ...before, ...change }, at));
  }
  const { batch } = change;
  if (batch !== undefined) {
    if (batch.cancel_initiated_at && !before.batch?.cancel_initiated_at) {
      steps.push({ what: 'canceling', at });
    }
    if (batch.processing_status === 'ended' && before.batch?.processing_status !== 'ended') {
      steps.push({ what: 'ended', at });
    }
  }
  if (change.results !== undefined && change.results.fetchedAt !== before.results?.fetchedAt) {
    steps.push({ what: 'fetched', at });
  }
  if (change.deleted === true && before.deleted !== true) {
    steps.push({ what: 'deleted', at });
  }
  return steps;
}

function stepsOfState(from: SubmissionState, { state, batchId, problem }: Submission, at: string): readonly SubmissionStep[] {
  const note = problem === undefined ? {} : { note: problem };
  switch (state) {
    case 'created':
      return [{ what: from === 'sending' ? 'created' : 'adopted', at, ...(batchId === undefined ? {} : { batchId }) }];
    case 'unknown':
      return [{ what: 'lost', at, ...note }];
    case 'failed':
      return [{ what: 'failed', at, ...note }];
    case 'abandoned':
      return [{ what: 'abandoned', at }];
    case 'sending':
      return [];
  }
}

const rankOfState: Readonly<Record<SubmissionState, number>> = { sending: 0, unknown: 1, failed: 2, abandoned: 2, created: 3 };

const statuses = ['in_progress', 'canceling', 'ended'];

function rankOfBatch({ batch }: Partial<Submission>): number {
  return Math.max(statuses.indexOf(batch?.processing_status ?? ''), 0);
}

/**
 * Returns the outcome of a submission whose sender ended. `mayHaveLeft` is true if the last byte may have been sent, or the sender may
 * still run.
 */
export function endOfDead(mayHaveLeft: boolean): Pick<Submission, 'state' | 'problem'> {
  return mayHaveLeft
    ? { state: 'unknown', problem: 'The window that was sending this ended, or runs on another machine.' }
    : { state: 'failed', problem: 'The window ended before the whole batch had left, so none was created.' };
}
