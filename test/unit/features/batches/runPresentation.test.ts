import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../src/client/resources/messageBatches';
import { type BatchRow, BatchStore } from '../../../../src/features/batches/batchStore';
import { isOfFile } from '../../../../src/features/batches/chooseRun';
import { presentFile, presentOthers, presentPart, presentRun } from '../../../../src/features/batches/runPresentation';
import { rowOfForeign } from '../../../../src/features/batches/runRow';
import { baseName } from '../../../../src/features/batches/sourceNames';
import { toRuns } from '../../../../src/features/ledger/runs';
import type { FetchedResults, Submission } from '../../../../src/features/ledger/submission';
import { fieldOf } from '../../../helpers/fieldOf';
import { MemoryRegistry } from '../../../helpers/memoryRegistry';
import { batch, context, submission } from './batchUnderTest';
import { resultsAt, submissionOf } from './fileRuns/submissionOf';

const minutesAgo = (minutes: number) => new Date(context.now - minutes * 60_000).toISOString();
const none = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };

/** Returns results with `succeeded` complete answers. `trouble` adds other counts. */
function fetched(succeeded: number, trouble: object = {}): FetchedResults {
  const counts = { succeeded, errored: 0, canceled: 0, expired: 0, other: 0 };
  const results = resultsAt('/r');
  return { ...results, report: { ...results.report, counts, cutShort: 0, ...trouble } };
}

/** Returns a submission of `evals.jsonl` that was sent `minutes` minutes ago. */
const sent = (minutes: number, change: Partial<Submission> = {}): Submission => ({
  ...submission,
  ...{ id: `s${minutes}`, source: 'file:///data/evals.jsonl', batchId: `b${minutes}`, startedAt: minutesAgo(minutes) },
  ...(change.state === undefined ? { batch: batch('ended', { succeeded: 12 }) } : {}),
  ...change,
});
const withoutBatch = { batchId: undefined, batch: undefined } as const;
const ended = (counts: Partial<typeof none>, change: Partial<MessageBatch> = {}) =>
  batch('ended', counts, { results_url: '/x', ...change });
const part = (index: number, change: Partial<Submission> = {}) =>
  sent(5, {
    ...{ id: `p${index}`, batchId: `b${index}`, requestCount: 3, startedAt: minutesAgo(5 - index) },
    selection: { purpose: 'part', firstLine: index * 3, lastLine: index * 3 + 2, digest: `${index}` },
    group: { id: 'g', index, count: 3 },
    batch: batch('in_progress', { processing: 3 }),
    ...change,
  });
const parts = (...batches: readonly MessageBatch[]) => batches.map((one, index) => part(index, { batch: one }));

function rowsOf(...submissions: readonly Submission[]): readonly BatchRow[] {
  const store = new BatchStore(new MemoryRegistry(submissions));
  store.reset('A');
  return store.rows();
}

/** Returns the rendered first row. */
function shown(...submissions: readonly Submission[]) {
  const [row] = rowsOf(...submissions);
  return row?.kind === 'file' ? presentFile(row, context) : row?.kind === 'run' ? presentRun(row, context) : assert.fail();
}

/** Returns the rendered runs below the first row. */
function below(...submissions: readonly Submission[]) {
  const [row] = rowsOf(...submissions);
  return row?.kind === 'file' ? row.runs.map(run => presentRun(run, context)) : assert.fail();
}

describe('features/batches/runPresentation', () => {
  it('shows a file with one run as one row: its status, then its age', () => {
    const running = shown(sent(3, { batch: batch('in_progress', { processing: 12 }) }));
    assert.deepEqual([running.label, running.description], ['evals.jsonl', 'running for 3 min · 12 requests']);
    assert.equal(running.spoken, 'evals.jsonl, All 12, running for 3 min · 12 requests');
    assert.deepEqual([running.icon, running.abilities], ['sync~spin', 'file batch hasSource cancelable']);
    const over = shown(sent(3, { batch: ended({ succeeded: 10, errored: 2 }) }));
    assert.equal(over.description, 'Fetch Results · 10 answered, 2 failed · 3 min. ago');
    assert.equal(over.abilities, 'file batch hasSource hasResults deletable');
    assert.equal(over.icon, 'warning');
    assert.equal(shown(sent(3, { results: fetched(12) })).description, '12 succeeded · 3 min. ago');
  });

  it("shows a file with several runs by its latest run, and counts requests without a good result in the file's results", () => {
    const full = sent(30, { requestCount: 200, results: fetched(200, { cutShort: 44, refused: 12 }) });
    const retry = sent(2, { requestCount: 56, follows: { runId: 's30', purpose: 'retry' }, batch: batch('in_progress', {}) });
    const file = shown(full, retry);
    assert.deepEqual([file.label, file.description, file.icon], ['evals.jsonl', 'running for 2 min', 'sync~spin']);
    assert.equal(file.spoken, 'evals.jsonl, Retry of 56, running for 2 min');
    assert.deepEqual(
      below(full, retry).map(({ label, description }) => [label, description]),
      [
        ['Retry of 56', 'running for 2 min'],
        ['All 200', '144 succeeded, 44 cut short, 12 refused · 30 min. ago'],
      ],
    );
    const bad = shown(sent(60, { results: fetched(12) }), full);
    assert.equal(bad.description, '56 without a good result · 30 min. ago');
    assert.deepEqual([bad.icon, bad.abilities], ['warning', 'file hasSource hasResults fetched showable retryable']);
    assert.equal(shown(full, sent(1, { results: fetched(12) })).description, '12 succeeded · 1 min. ago');
  });

  it('shows in the row of a file that one of its runs is unknown', () => {
    const unknown = sent(9, { state: 'unknown', ...withoutBatch });
    const file = shown(sent(1, { results: fetched(12) }), unknown);
    assert.match(file.description, /^All 12: response lost, .* · 12 succeeded · 1 min\. ago$/);
    assert.match(file.abilities, /\bunresolved\b/);
    assert.equal(shown(unknown).icon, 'search');
    assert.match(shown(unknown).abilities, /^file unresolved forgettable$/);
  });

  it('names runs by the requests that they sent', () => {
    const selection = { firstLine: 0, lastLine: 9, digest: 'd', total: 1200 };
    const labels = below(
      sent(9, { requestCount: 1200 }),
      sent(8, { requestCount: 10, selection: { ...selection, purpose: 'canary' } }),
      sent(7, { requestCount: 1190, selection: { ...selection, purpose: 'rest' } }),
      sent(6, { requestCount: 5, selection: { ...selection, purpose: 'changed' } }),
      sent(5, { requestCount: 56, source: 'file:///data/evals.retry.jsonl', follows: { runId: 's9', purpose: 'retry' } }),
    );
    assert.deepEqual(fieldOf(labels, 'label'), ['Retry of 56', '5 changed', 'The remaining 1,190', 'Trial of 10', 'All 1,200']);
    assert.match(labels[0]?.description ?? '', / · evals\.retry\.jsonl$/);
    assert.match(labels[0]?.spoken ?? '', /^evals\.jsonl, Retry of 56, /);
  });

  it('offers the rest of a trial that has results', () => {
    const selection = { purpose: 'canary' as const, firstLine: 0, lastLine: 9, digest: 'd', total: 202 };
    const trial = sent(3, { selection, results: fetched(12) });
    assert.equal(shown(trial).description, 'Send the rest (190) · 12 succeeded · 3 min. ago');
    const { total: _, ...older } = selection;
    assert.match(shown({ ...trial, selection: older }).description, /^Send the rest · /);
    assert.match(shown(trial).abilities, /\btrial\b/);
    assert.match(shown(trial, sent(9)).abilities, /\btrial\b/);
    assert.doesNotMatch(below(trial, sent(9))[0]?.abilities ?? '', /\btrial\b/, 'It is an act on the file.');
  });

  it('shows the outcome of submissions without a batch', () => {
    const not = (state: Submission['state']) => shown(sent(3, { state, ...withoutBatch }));
    assert.deepEqual(
      (['sending', 'failed', 'abandoned', 'created'] as const).map(state => [not(state).description, not(state).abilities]),
      [
        ['sending · 12 requests', 'file'],
        ['not sent · 3 min. ago', 'file notSent forgettable'],
        ['marked as not created · 3 min. ago', 'file forgettable'],
        ['running · 12 requests', 'file'],
      ],
    );
  });

  it('shows that a batch was deleted on the service, and offers to delete it here', () => {
    const row = shown(sent(3, { deleted: true, results: fetched(12) }));
    assert.equal(row.description, 'deleted on the service · 12 succeeded · 3 min. ago');
    assert.deepEqual([row.icon, row.abilities], ['pass', 'file batch hasSource deletable fetched showable']);
  });

  it('names the connection of a run that was sent over another connection', () => {
    assert.match(shown(sent(3, { connection: 'B', state: 'unknown', ...withoutBatch })).description, / · B$/);
  });

  it('offers results of any ended batch, expired or canceled, but not if it is archived or has no results', () => {
    const has = (change: Partial<MessageBatch>) =>
      shown(sent(3, { batch: batch('ended', { expired: 3 }, change) })).abilities.includes('hasResults');
    assert.equal(has({ results_url: '/x' }), true);
    assert.equal(has({}), true, 'a service that leaves the field out');
    assert.equal(has({ results_url: null }), false);
    assert.equal(has({ results_url: '/x', archived_at: minutesAgo(1) }), false);
  });

  it('shows an unknown status unchanged', () => {
    const row = shown(sent(3, { batch: batch('pa\u202eused', { processing: 1 }) }));
    assert.deepEqual([row.description, row.icon], ['pa\\u{202e}used · 12 requests', 'circle-large-outline']);
  });

  it("doesn't show a run as passed if requests were cut short, refused or unanswered", () => {
    const row = (trouble: object) => {
      const { icon, description, abilities } = shown(sent(3, { results: fetched(4, trouble) }));
      return [icon, description, abilities.includes('retryable')];
    };
    assert.deepEqual(row({}), ['pass', '4 succeeded · 3 min. ago', false]);
    assert.deepEqual(row({ cutShort: 1 }), ['warning', '3 succeeded, 1 cut short · 3 min. ago', true]);
    assert.deepEqual(row({ cutShort: 1, refused: 3 }), ['warning', '1 cut short, 3 refused · 3 min. ago', true]);
    assert.deepEqual(row({ missing: { count: 1 } }), ['warning', '4 succeeded, 1 without an answer · 3 min. ago', true]);
  });

  it("doesn't show a past time as future if the service's clock is ahead", () => {
    const ahead = sent(-11, { batch: batch('in_progress', { processing: 1 }) });
    assert.equal(shown(ahead).description, 'running for 1 sec · 12 requests');
  });

  it('shows the statuses of all parts in words, and sums the requests only after all have ended', () => {
    const all = shown(part(0), part(1), part(2));
    assert.deepEqual([all.label, all.description], ['evals.jsonl', 'running for 5 min · 9 requests']);
    const running = batch('in_progress', { processing: 3 });
    assert.equal(shown(...parts(ended({ succeeded: 3 }), running, running)).description, 'running for 5 min · 1 of 3 ended · 9 requests');
    assert.match(shown(...parts(ended({ succeeded: 3 }), batch('canceling', {}), running)).description, /^canceling · 1 of 3 ended · /);
    const whole = shown(...parts(ended({ succeeded: 3 }), ended({ succeeded: 2, errored: 1 }), ended({ expired: 3 })));
    assert.equal(whole.description, 'Fetch Results · 5 answered, 1 failed, 3 expired · 5 min. ago');
  });

  it('shows how much of a run was sent, and which part is unknown', () => {
    const failed = part(1, { state: 'failed', ...withoutBatch });
    assert.match(shown(part(0)).description, /^Send Remaining Parts · 1 of 3 sent · running for 5 min/);
    assert.match(shown(part(0), failed).description, /^Send Remaining Parts · 1 of 3 sent/);
    assert.match(shown(part(0), part(1, { state: 'sending', ...withoutBatch })).description, /^sending, 1 of 3 sent/);
    const unknown = shown(part(0), part(1, { state: 'unknown', ...withoutBatch }));
    assert.match(unknown.description, /^part 2 may have been created · 1 of 3 sent/);
    assert.match(unknown.abilities, /\bunresolved\b/);
    assert.doesNotMatch(unknown.abilities, /\bunfinished\b|\bforgettable\b/);
    assert.match(shown(...parts(ended({ succeeded: 3 }))).description, /^Send Remaining Parts · 1 of 3 sent · 3 answered/);
    assert.match(shown(part(0, { deleted: true }), part(1), part(2)).description, /1 of 3 deleted/);
  });

  it('has an icon for the results of its requests, or for the most urgent status of several parts', () => {
    const good = ended({ succeeded: 3 });
    const running = batch('in_progress', { processing: 3 });
    const alone = (counts: Partial<typeof none>) => [sent(3, { batch: ended(counts) })];
    const icons: readonly (readonly [Submission[], string])[] = [
      [alone({ succeeded: 3 }), 'pass'],
      [alone({ errored: 3 }), 'error'],
      [alone({ canceled: 3 }), 'circle-slash'],
      [alone({ succeeded: 1, expired: 2 }), 'warning'],
      [[part(0), part(1, { state: 'unknown', ...withoutBatch })], 'search'],
      [[part(0), part(1, { state: 'sending', ...withoutBatch })], 'cloud-upload'],
      [[part(0), part(1)], 'debug-pause'],
      [parts(good, running, batch('canceling', {})), 'loading~spin'],
      [parts(good, running, good), 'sync~spin'],
      [parts(good, ended({ errored: 3 }), good), 'warning'],
      [parts(ended({ errored: 3 }), ended({ expired: 3 }), ended({ errored: 3 })), 'error'],
      [parts(good, good, good), 'pass'],
      [parts(ended({}, { archived_at: minutesAgo(1) }), good, good), 'pass'],
    ];
    for (const [submissions, icon] of icons) {
      assert.equal(shown(...submissions).icon, icon);
    }
  });

  it('offers the actions of its parts', () => {
    const good = ended({ succeeded: 3 });
    assert.equal(shown(part(0), part(1), part(2)).abilities, 'file batch hasSource cancelable');
    assert.equal(shown(...parts(good, good, good)).abilities, 'file batch hasSource hasResults deletable');
    assert.match(shown(...parts(good)).abilities, /hasResults deletable unfinished$/);
    const [first, ...others] = parts(good, good, good);
    assert.ok(first);
    assert.match(shown({ ...first, groupResults: fetched(9, { cutShort: 2 }) }, ...others).abilities, /fetched showable retryable$/);
  });

  it('names a part by its lines, with its status', () => {
    const [row] = rowsOf(part(0), part(1, { batch: ended({ succeeded: 3 }) }));
    const states = row?.kind === 'run' ? row.parts.map(one => presentPart(row.run, one, context)) : assert.fail();
    assert.deepEqual(states, [
      { label: 'Part 1, lines 1 to 3', state: 'running for 5 min' },
      { label: 'Part 2, lines 4 to 6', state: '3 answered' },
      { label: 'Part 3', state: 'not sent' },
    ]);
  });

  it('shows batches created elsewhere by their IDs, under a heading with their count', () => {
    const running = presentRun(rowOfForeign('A', batch('in_progress', { processing: 12 })), context);
    assert.deepEqual(
      [running.label, running.description, running.spoken],
      ['msgbatch_1', 'running for 3 min · 12 requests', 'msgbatch_1, running for 3 min · 12 requests'],
    );
    assert.equal(running.abilities, 'batch cancelable adoptable');
    const over = presentRun(rowOfForeign('A', ended({ succeeded: 10, errored: 2 })), context);
    assert.equal(over.description, '10 answered, 2 failed · 3 min. ago');
    const stopped = presentRun(rowOfForeign('A', ended({ canceled: 3 }, { cancel_initiated_at: minutesAgo(2) })), context);
    assert.match(stopped.description, /ended after cancel · 3 canceled/);
    const other = rowOfForeign('A', batch('ended', {}));
    const heading = (...more: readonly { kind: 'more'; problem: undefined }[]) =>
      presentOthers({ kind: 'others', below: [other, other, ...more], count: 2, isAlone: false }, context).description;
    assert.deepEqual([heading(), heading({ kind: 'more', problem: undefined })], ['2', '2 listed so far']);
  });

  it('returns the base name of a URI, even if its encoding is invalid', () => {
    assert.equal(baseName('file:///a/b%20c.jsonl'), 'b c.jsonl');
    assert.equal(baseName('file:///a/100%.jsonl'), '100%.jsonl');
  });
});

describe('features/batches/chooseRun', () => {
  it('recognizes the runs of the active file, or of the active results file', () => {
    const runs = toRuns([
      submissionOf('1', { results: resultsAt('/evals.results.jsonl') }),
      submissionOf('2'),
      submissionOf('3', { source: 'file:///other.jsonl' }),
    ]);
    const ofFile = (uri: string, path: string) => runs.filter(isOfFile(runs, { uri, path })).map(({ id }) => id);
    assert.deepEqual(ofFile('file:///evals.jsonl', '/evals.jsonl'), ['2', '1']);
    assert.deepEqual(ofFile('file:///evals.results.jsonl', '/evals.results.jsonl'), ['1']);
    assert.deepEqual(runs.filter(isOfFile(runs, undefined)), []);
  });
});
