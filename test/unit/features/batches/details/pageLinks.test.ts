import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pageCommands, toPageLink, toPageLinks } from '../../../../../src/features/batches/details/pageLinks';
import { runs } from '../../../../helpers/runs';
import { context as words } from '../sheet/sheetUnderTest';

const context = { ...words, now: 0 };
const target = { connection: 'Lab', batchId: 'msgbatch_1' };
/** Titles of the links of a page with what they run. */
const linksOf = (abilities: string, more: Partial<Parameters<typeof toPageLinks>[0]> = {}) =>
  toPageLinks({ abilities, target, runId: 'r1', submission: undefined, ...more }, context).map(link => {
    const [, title = '', command = '', query = ''] = /^\[(.*)\]\(command:([\w.]+)\?([^()]*)\)$/.exec(link) ?? assert.fail(link);
    return [title.replaceAll('\\', ''), command.replace('managedAgents.', ''), JSON.stringify(JSON.parse(decodeURIComponent(query))[0])];
  });
const always = [
  ['Copy ID', 'copyId', JSON.stringify(target)],
  ['Copy link', 'copyLink', JSON.stringify(target)],
  ['Show as JSON', 'showJson', JSON.stringify(target)],
];

describe('features/batches/details/pageLinks', () => {
  it('offers what the batch can do, and what there is to do first', () => {
    assert.deepEqual(linksOf('batch', { runId: undefined }), always);
    assert.deepEqual(linksOf('batch hasResults deletable', { runId: undefined })[0], [
      'Fetch results',
      'batch.fetchResults',
      JSON.stringify(target),
    ]);
    assert.deepEqual(linksOf('batch cancelable')[0], ['Cancel...', 'batch.cancel', JSON.stringify(target)]);
    assert.deepEqual(
      linksOf('batch hasResults fetched retryable hasSource showable canary').map(([title]) => title),
      [
        'Send the rest',
        'Show verdict',
        'Show results table',
        'Plan retry',
        'Find out what happened',
        'Copy ID',
        'Copy link',
        'Show as JSON',
      ],
    );
  });

  it('does for a group what is of all its parts', () => {
    const group = { ...target, runId: 'r1' };
    assert.deepEqual(linksOf('group hasResults groupUnfinished cancelable', { target: group }), [
      ['Fetch results', 'batch.fetchResults', JSON.stringify(group)],
      ['Send remaining parts', 'group.resume', '{"runId":"r1"}'],
      ['Cancel...', 'batch.cancel', JSON.stringify(group)],
      ['Copy ID', 'copyId', JSON.stringify(group)],
      ['Copy link', 'copyLink', JSON.stringify(group)],
      ['Show as JSON', 'showJson', JSON.stringify(group)],
    ]);
  });

  it('runs nothing but the commands of pages, whatever ids and names say', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (title, connection, batchId) => {
        const link = toPageLink('managedAgents.batch.open', title, { connection, batchId });
        const [, query = ''] = /\]\(command:managedAgents\.batch\.open\?([\w.%-]*)\)$/.exec(link) ?? assert.fail(link);
        assert.deepEqual(JSON.parse(decodeURIComponent(query)), [{ connection, batchId }]);
      }),
      { numRuns: runs(1000) },
    );
    assert.ok(pageCommands.every(id => !/delete|create|forget/.test(id)));
  });
});
