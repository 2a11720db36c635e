import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../../src/client/schemas/messageBatches';
import { toGroupHover, toGroupPage } from '../../../../../src/features/batches/groups/groupPage';
import { groupAbilities, presentGroup, presentPart } from '../../../../../src/features/batches/groups/groupPresentation';
import { type GroupRow, toGroupRow } from '../../../../../src/features/batches/groups/groupRow';
import { standingOf } from '../../../../../src/features/batches/standing';
import { type Run, toRuns } from '../../../../../src/features/ledger/runs';
import type { FetchedResults, Submission } from '../../../../../src/features/ledger/submission';
import { noTrouble } from '../batchUnderTest';

const context = {
  translate: (message: string, ...args: (string | number)[]) => message.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)])),
  locale: 'en-US',
  now: Date.parse('2026-05-04T10:05:00Z'),
};
const none = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
const batch = (id: string, change: Partial<MessageBatch> = {}): MessageBatch => ({
  id,
  type: 'message_batch',
  processing_status: 'in_progress',
  request_counts: { ...none, processing: 3 },
  created_at: '2026-05-04T10:00:00Z',
  results_url: null,
  ...change,
});
const ended = (id: string, counts: Partial<typeof none>) =>
  batch(id, {
    processing_status: 'ended',
    request_counts: { ...none, ...counts },
    results_url: 'http://h/r',
    ended_at: '2026-05-04T10:04:00Z',
  });

const part = (index: number, change: Partial<Submission> = {}): Submission => ({
  id: `p${index}`,
  connection: 'Lab',
  origin: 'http://h',
  source: 'file:///home/a%20b/large_file.jsonl',
  fileBytes: 5_000_000,
  sha256: 'abc',
  requestCount: 3,
  bodyBytes: 100,
  state: 'created',
  startedAt: `2026-05-04T10:0${index}:00Z`,
  selection: { purpose: 'part', firstLine: index * 3, lastLine: index * 3 + 2, digest: String(index) },
  group: { id: 'g', index, count: 3 },
  batchId: `b${index}`,
  batch: batch(`b${index}`),
  ...change,
});
const sent = (...batches: readonly MessageBatch[]) => batches.map((one, index) => part(index, { batch: one }));

function runOf(submissions: readonly Submission[]): Run {
  const [run] = toRuns(submissions);
  assert.ok(run !== undefined);
  return run;
}
const row = (...submissions: readonly Submission[]): GroupRow => toGroupRow(runOf(submissions), () => undefined);
const shown = (...submissions: readonly Submission[]) => presentGroup(row(...submissions), context);
const withoutBatch = { batchId: undefined, batch: undefined } as const;

describe('features/batches/groups/groupPresentation', () => {
  it('shows the state of the whole in words, and sums what became of the requests only when all have ended', () => {
    const all = shown(part(0), part(1), part(2));
    assert.deepEqual([all.label, all.description], ['large_file.jsonl', '3 batches in progress · 9 requests · 5 min. ago']);
    const some = shown(...sent(ended('b0', { succeeded: 3 }), batch('b1'), batch('b2')));
    assert.match(some.description, /^1 of 3 ended · 9 requests · /);
    assert.doesNotMatch(some.description, /succeeded|%/);
    const canceling = shown(...sent(ended('b0', { succeeded: 3 }), batch('b1', { processing_status: 'canceling' }), batch('b2')));
    assert.match(canceling.description, /^canceling, 1 of 3 ended/);
    const whole = shown(...sent(ended('b0', { succeeded: 3 }), ended('b1', { succeeded: 2, errored: 1 }), ended('b2', { expired: 3 })));
    assert.match(whole.description, /^5 answered, 1 failed, 3 expired · /);
    assert.equal(whole.spoken, `large_file.jsonl, ${whole.description}`);
  });

  it('says how much of a group was sent, and which part nobody knows of', () => {
    assert.match(shown(part(0)).description, /^1 of 3 sent · 1 batch in progress/);
    assert.match(shown(part(0), part(1, { state: 'failed', ...withoutBatch })).description, /^1 of 3 sent/);
    assert.match(shown(part(0), part(1, { state: 'sending', ...withoutBatch })).description, /^sending, 1 of 3 sent/);
    assert.match(
      shown(part(0), part(1, { state: 'unknown', ...withoutBatch })).description,
      /^part 2: not known whether it was created · 1 of 3 sent/,
    );
    assert.match(shown(...sent(ended('b0', { succeeded: 3 }))).description, /^1 of 3 sent · those have ended · 3 answered/);
    assert.match(shown(part(0, { deleted: true }), part(1), part(2)).description, /1 of 3 deleted/);
  });

  it('lets the worst state win for the icon', () => {
    const good = ended('b0', { succeeded: 3 });
    const icons: readonly (readonly [Submission[], string])[] = [
      [[part(0), part(1, { state: 'unknown', ...withoutBatch })], 'question'],
      [[part(0), part(1, { state: 'sending', ...withoutBatch })], 'cloud-upload'],
      [[part(0), part(1)], 'debug-pause'],
      [sent(good, batch('b1'), batch('b2', { processing_status: 'canceling' })), 'loading~spin'],
      [sent(good, batch('b1'), good), 'sync~spin'],
      [sent(good, ended('b1', { errored: 3 }), good), 'warning'],
      [sent(ended('b0', { errored: 3 }), ended('b1', { expired: 3 }), ended('b2', { errored: 3 })), 'error'],
      [sent(good, good, good), 'pass'],
      [sent(batch('b0', { processing_status: 'ended', archived_at: '2026-05-05T00:00:00Z' }), good, good), 'pass'],
    ];
    for (const [submissions, icon] of icons) {
      assert.equal(shown(...submissions).icon, icon);
    }
  });

  it('can what its batches can', () => {
    const good = ended('b0', { succeeded: 3 });
    assert.equal(groupAbilities(row(part(0), part(1), part(2))), 'group hasSource cancelable');
    assert.equal(groupAbilities(row(...sent(good, good, good))), 'group hasSource hasResults deletable');
    assert.equal(groupAbilities(row(...sent(good))), 'group hasSource hasResults deletable groupUnfinished');
    assert.match(groupAbilities(row(part(0), part(1, { state: 'abandoned', ...withoutBatch }))), /groupUnfinished/);
    assert.doesNotMatch(groupAbilities(row(part(0), part(1, { state: 'sending', ...withoutBatch }))), /groupUnfinished/);
    const counts = { succeeded: 8, errored: 1, canceled: 0, expired: 0, other: 0 };
    const groupResults = { joinedPath: '/r', fetchedAt: '', report: { ...noTrouble, counts } } as FetchedResults;
    const fetched = [part(0, { batch: good, groupResults }), part(1, { batch: good }), part(2, { batch: good })];
    assert.match(groupAbilities(row(...fetched)), /fetched retryable$/);
    for (const trouble of [{ cutShort: 1 }, { refused: 1 }, { missing: { count: 1 } }, {}]) {
      const report = { ...noTrouble, ...trouble, counts: { ...counts, errored: 0 } };
      const words = groupAbilities(
        row(part(0, { batch: good, groupResults: { joinedPath: '/r', fetchedAt: '', report } as FetchedResults })),
      );
      assert.equal(/retryable$/.test(words), Object.keys(trouble).length > 0, JSON.stringify(trouble));
    }
    assert.equal(standingOf(toRuns(fetched), runOf(fetched)), 'showable');
  });

  it('tells apart what was cut short of all parts once that is known, and is not well with it', () => {
    const good = ended('b', { succeeded: 3 });
    const counts = { succeeded: 9, errored: 0, canceled: 0, expired: 0, other: 0 };
    const shown = (cutShort: number) => {
      const groupResults = { joinedPath: '/r', fetchedAt: '', report: { ...noTrouble, counts, cutShort } } as unknown as FetchedResults;
      return presentGroup(row(part(0, { batch: good, groupResults }), part(1, { batch: good }), part(2, { batch: good })), context);
    };
    assert.equal(shown(0).icon, 'pass');
    assert.match(shown(0).description, /^9 succeeded · /);
    assert.equal(shown(2).icon, 'warning');
    assert.match(shown(2).description, /^7 succeeded, 2 cut short · /);
  });

  it('names a part by its lines, with what it can do by itself', () => {
    const [first, second, third] = row(
      part(0),
      part(1, { batch: ended('b1', { succeeded: 3 }), results: { report: { ...noTrouble, counts: {} } } as FetchedResults }),
    ).parts;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.equal(presentPart(first, context).label, 'Part 1, lines 1 to 3');
    assert.match(presentPart(first, context).abilities, /^batch cancelable/);
    assert.doesNotMatch(presentPart(second, context).abilities, /hasResults|fetched/);
    assert.deepEqual([presentPart(third, context).label, presentPart(third, context).description], ['Part 3', 'not sent']);
  });

  it('has a page with all parts and nothing that is a link or markup of theirs', () => {
    const group = row(
      part(0, { batchId: '[x](command:y)', batch: batch('[x](command:y)') }),
      part(1, { state: 'failed', ...withoutBatch }),
    );
    const page = toGroupPage(group, { name: 'Lab', host: 'h' }, context);
    assert.match(page, /^# large\\_file\\\.jsonl/);
    assert.match(page, /3 batches that were made from one file\\\. 1 of 3 sent/);
    assert.match(page, /\| Part 3 \| not sent \|/);
    assert.ok(!page.includes('[x](command:y)'), page);
    assert.match(toGroupHover(group, { name: 'Lab', host: 'h' }, context), /Part 2, lines 4 to 6: /);
  });

  it('tells a canary from one whose rest was sent, and generations by their results', () => {
    const fetched = { joinedPath: '/r', fetchedAt: '', report: {} } as FetchedResults;
    const single = (id: string, minute: number, change: Partial<Submission>) =>
      part(minute, { id, group: undefined, results: fetched, ...change });
    const canary = single('c', 0, { selection: { purpose: 'canary', firstLine: 0, lastLine: 8, digest: 'c' } });
    assert.equal(standingOf(toRuns([canary]), runOf([canary])), 'showable canary');
    const rest = single('r', 1, { follows: { runId: 'c', purpose: 'rest' } });
    const runs = toRuns([canary, rest]);
    assert.deepEqual(
      runs.map(run => [run.id, standingOf(runs, run)]),
      [
        ['r', 'showable'],
        ['c', 'showable'],
      ],
    );
  });
});
