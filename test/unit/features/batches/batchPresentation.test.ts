import assert from 'node:assert/strict';
import path from 'node:path';
import type { MessageBatch } from '../../../../src/client/schemas/messageBatches';
import { describeAct, presentBatch } from '../../../../src/features/batches/batchPresentation';
import { baseName, toSourceNames } from '../../../../src/features/batches/sourceNames';
import type { FetchedResults, Submission } from '../../../../src/features/ledger/submission';
import { batch, context, noTrouble, submission } from './batchUnderTest';

describe('features/batches/batchPresentation', () => {
  it('never makes a share of the counts of a batch that runs', () => {
    const row = presentBatch(batch('in_progress', { processing: 12 }), undefined, context);
    assert.equal(row.label, 'msgbatch_1');
    assert.equal(row.description, '12 requests · for 3 min');
    assert.equal(row.spoken, 'msgbatch_1, in progress, 12 requests, for 3 min');
    assert.equal(row.icon, 'sync~spin');
    assert.equal(row.abilities, 'batch cancelable adoptable');
  });

  it('names the file of a batch of ours and its outcomes once it has ended', () => {
    const row = presentBatch(batch('ended', { succeeded: 10, errored: 2 }, { results_url: '/x' }), submission, context);
    assert.equal(row.label, 'my questions.jsonl');
    assert.equal(row.description, '10 answered, 2 failed · 3 min. ago');
    assert.equal(row.spoken, 'my questions.jsonl, msgbatch_1, ended, 10 answered, 2 failed, 3 min. ago');
    assert.equal(row.icon, 'warning');
    assert.equal(row.abilities, 'batch deletable hasResults hasSource');
    const nameOf = toSourceNames([submission.source, 'file:///elsewhere/my%20questions.jsonl']);
    assert.equal(
      presentBatch(batch('ended', {}), submission, { ...context, nameOf }).label,
      `my questions.jsonl (${path.posix.basename(path.posix.dirname(submission.source))})`,
    );
  });

  it('begins with what became of a canary or of what changed: a narrow view cuts the end', () => {
    const canary: Submission = { ...submission, selection: { purpose: 'canary', firstLine: 0, lastLine: 9, digest: 'd', total: 202 } };
    const row = presentBatch(batch('ended', { succeeded: 10, errored: 2 }, { results_url: '/x' }), canary, context);
    assert.equal(row.description, '10 answered, 2 failed · canary · 3 min. ago');
    assert.equal(row.spoken, 'my questions.jsonl, msgbatch_1, ended, 10 answered, 2 failed, canary, 3 min. ago');
    const stopping = batch('canceling', { processing: 12 }, { cancel_initiated_at: '2026-11-21T11:59:00Z' });
    assert.match(presentBatch(stopping, canary, context).description, /^canceling · 12 requests · canary · /);
  });

  it('offers results of any ended batch, expired or canceled, but not when archived or null', () => {
    const has = (change: Partial<MessageBatch>) =>
      presentBatch(batch('ended', { expired: 3 }, change), undefined, context).abilities.includes('hasResults');
    assert.equal(has({ results_url: '/x' }), true);
    assert.equal(has({}), true, 'a service that leaves the field out');
    assert.equal(has({ results_url: null }), false);
    assert.equal(has({ results_url: '/x', archived_at: '2026-11-21T11:59:00Z' }), false);
  });

  it('shows a status it does not know as itself', () => {
    const row = presentBatch(batch('pa\u202eused', { processing: 1 }), undefined, context);
    assert.equal(row.description, 'pa\\u{202e}used · 1 request · for 3 min');
    assert.equal(row.icon, 'circle-large-outline');
  });

  for (const [counts, icon] of [
    [{ succeeded: 3 }, 'pass'],
    [{ errored: 3 }, 'error'],
    [{ canceled: 3 }, 'circle-slash'],
    [{ succeeded: 1, expired: 2 }, 'warning'],
  ] as const) {
    it(`has the icon ${icon} for ${JSON.stringify(counts)}`, () => {
      assert.equal(presentBatch(batch('ended', counts), undefined, context).icon, icon);
    });
  }

  it('tells apart what was cut short or refused once that is known, and is not well with it', () => {
    const counts = { succeeded: 4, errored: 0, canceled: 0, expired: 0, other: 0 };
    const row = (trouble: object, change: Partial<Submission> = {}) => {
      const report = { ...noTrouble, counts, ...trouble };
      const results = { joinedPath: '/r', fetchedAt: '', report } as unknown as FetchedResults;
      return presentBatch(batch('ended', { succeeded: 4 }), { ...submission, results, ...change }, context);
    };
    const told = ({ icon, description }: { readonly icon: string; readonly description: string }) => [icon, description];
    assert.deepEqual(told(row({})), ['pass', '4 succeeded · 3 min. ago']);
    assert.deepEqual(told(row({ cutShort: 1 })), ['warning', '3 succeeded, 1 cut short · 3 min. ago']);
    assert.deepEqual(told(row({ cutShort: 1, refused: 3 })), ['warning', '1 cut short, 3 refused · 3 min. ago']);
    assert.deepEqual(told(row({ missing: { count: 1 } })), ['warning', '4 succeeded, 1 without an answer · 3 min. ago']);
    const group = { id: 'g', index: 0, count: 2 } as Submission['group'];
    assert.deepEqual(told(row({ cutShort: 1 }, { group })), ['pass', '4 answered · 3 min. ago'], 'a part is told with its group');
  });

  it('does not take what has happened for something to come when the service has a clock ahead of ours', () => {
    const ahead = batch('in_progress', { processing: 1 }, { created_at: '2026-11-21T12:11:00Z' });
    assert.equal(presentBatch(ahead, undefined, context).description, '1 request · for 1 sec');
  });

  it('says what is to be done first: fetch what has ended, send the rest of a canary that has its answers', () => {
    const canary: Submission = { ...submission, selection: { purpose: 'canary', firstLine: 0, lastLine: 9, digest: 'd', total: 202 } };
    const { total: _, ...older } = canary.selection ?? { total: 0 };
    assert.equal(describeAct('batch hasResults', submission, context), 'Fetch results');
    assert.equal(describeAct('batch hasResults fetched showable', submission, context), '');
    assert.equal(describeAct('batch hasResults fetched showable canary', canary, context), 'Send the rest (190)');
    assert.equal(
      describeAct('batch hasResults fetched showable canary', { ...canary, selection: older as Submission['selection'] }, context),
      'Send the rest',
    );
    assert.equal(describeAct('batch cancelable canary', canary, context), '');
    assert.equal(describeAct('group hasResults deletable groupUnfinished', undefined, context), 'Send remaining parts');
    assert.equal(describeAct('group hasResults deletable', undefined, context), 'Fetch results');
    assert.equal(describeAct('group hasResults cancelable', undefined, context), '', 'others of its batches still run');
  });

  it('takes the base name of a URI, encoded well or badly', () => {
    assert.equal(baseName('file:///a/b%20c.jsonl'), 'b c.jsonl');
    assert.equal(baseName('file:///a/100%.jsonl'), '100%.jsonl');
  });
});
