import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BatchRowWord } from '../../../../../src/contributions';
import { pageCommands, toPageLink, toPageLinks } from '../../../../../src/features/batches/details/batchDetails';
import type { BatchOrRun } from '../../../../../src/features/batches/runRow';
import { runs } from '../../../../helpers/runs';
import { context as words } from '../sheet/sheetUnderTest';

const context = { ...words, now: 0 };
const target = { connection: 'Lab', batchId: 'msgbatch_1' };
const run = { id: 'r1', source: 'file:///evals.jsonl' };
/** Returns the titles of the links on a page with their commands. */
const linksOf = (words: string, of: BatchOrRun = target) => {
  return toPageLinks(words.split(' ') as BatchRowWord[], 'Send the rest', of, run, context).map(link => {
    const [, title = '', command = '', query = ''] = /^\[(.*)\]\(command:([\w.]+)\?([^()]*)\)$/.exec(link) ?? assert.fail(link);
    return [title.replaceAll('\\', ''), command.replace('managedAgents.', ''), JSON.parse(decodeURIComponent(query))[0]];
  });
};
const always = [
  ['Copy ID', 'copyId', target],
  ['Copy Link', 'copyLink', target],
  ['Show as JSON', 'showJson', target],
];

describe('features/batches/details/pageLinks', () => {
  it('offers the actions of a batch, the next one first', () => {
    assert.deepEqual(linksOf('batch'), always);
    assert.deepEqual(linksOf('batch hasResults deletable')[0], ['Fetch Results', 'batch.fetchResults', target]);
    assert.deepEqual(linksOf('batch cancelable')[0], ['Cancel...', 'batch.cancel', target]);
    const links = linksOf('batch hasSource hasResults fetched showable retryable trial');
    assert.deepEqual(
      links.map(([title]) => title),
      ['Send the rest', 'Show Results', 'Open Results File', 'Send again', 'Show Submission Log', 'Copy ID', 'Copy Link', 'Show as JSON'],
    );
    assert.deepEqual(links[0], ['Send the rest', 'batch.create', { ...target, source: run.source }]);
  });

  it('acts on all parts of a run', () => {
    const whole = { ...target, runId: 'r1' };
    assert.deepEqual(linksOf('hasResults unfinished cancelable', whole), [
      ['Fetch Results', 'batch.fetchResults', whole],
      ['Send Remaining Parts', 'group.resume', { runId: 'r1' }],
      ['Cancel...', 'batch.cancel', whole],
      ['Copy ID', 'copyId', whole],
      ['Copy Link', 'copyLink', whole],
      ['Show as JSON', 'showJson', whole],
    ]);
  });

  it('runs only the commands of pages, for any IDs and names', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (title, connection, batchId) => {
        const link = toPageLink('managedAgents.batch.open', title, { connection, batchId });
        const [, query = ''] = /\]\(command:managedAgents\.batch\.open\?([\w.%-]*)\)$/.exec(link) ?? assert.fail(link);
        assert.deepEqual(JSON.parse(decodeURIComponent(query)), [{ connection, batchId }]);
      }),
      { numRuns: runs(1000) },
    );
    assert.ok(pageCommands.every(id => !/delete|forget/.test(id)));
  });
});
