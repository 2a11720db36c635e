import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ComparedPairs } from '../../../../../src/features/results/comparing/comparedPairs';
import type { ComparedSide } from '../../../../../src/features/results/comparing/comparedSide';
import { toComparisonHead, toComparisonRow } from '../../../../../src/features/results/comparing/comparePresentation';
import { compareResults } from '../../../../../src/jsonl/comparing/compareResults';
import { comparisonFilters } from '../../../../../src/shared/comparison/comparisonProtocol';
import { errored, makeJoined, quiet, succeeded } from '../../../jsonl/querying/joinedFile';
import { english } from '../../requests/fillPlaceholders';
import { fieldOf } from '../../../../helpers/fieldOf';

const facts = { name: 'a.jsonl', title: 'a.jsonl', startedAt: '2026-01-01T00:00:00Z', connection: 'Lab', models: ['m-1'] };

describe('features/results/comparing/comparedPairs', () => {
  const made: Awaited<ReturnType<typeof makeJoined>>[] = [];

  afterEach(async () => {
    await Promise.all(made.splice(0).map(joined => joined.remove()));
  });

  async function open() {
    const before = await makeJoined([
      ['same', succeeded('yes')],
      ['worse', succeeded('yes')],
      ['failed', succeeded('yes')],
      ['gone', succeeded('yes')],
    ]);
    const after = await makeJoined([
      ['new', succeeded('yes')],
      ['same', succeeded('yes')],
      ['worse', succeeded('no, never', { output: 7 })],
      ['failed', errored('broke', 'api_error')],
    ]);
    made.push(before, after);
    const expectations = path.join(before.folder, 'a.expect.jsonl');
    await writeFile(expectations, `{"equals":"yes","contains":"y"}\n{"custom_id":"x","pattern":"("}\n`);
    const comparison = await compareResults({ before, after, expectations: { path: expectations, idsOf: 'before' } }, quiet);
    const side = (results: typeof before) => ({ results }) as unknown as ComparedSide;
    return await ComparedPairs.open(comparison, [side(before), side(after)]);
  }

  it('gives pairs by their place in what a filter lists, and no others', async () => {
    const pairs = await open();
    const idsOf = (filter: (typeof comparisonFilters)[number]) =>
      pairs.slice(filter, 0, 100).map(({ before, after }) => before?.customId ?? after?.customId);
    assert.deepEqual(
      comparisonFilters.map(filter => idsOf(filter)),
      [['worse', 'failed', 'gone', 'new', 'same'], ['worse', 'failed'], [], [], ['gone'], ['new'], ['same']],
    );
    assert.equal(pairs.differing, 4);
    assert.equal(pairs.at('lost', 1), undefined);
    assert.equal(pairs.at('same', -1), undefined);
    assert.deepEqual(fieldOf(pairs.slice('regressed', 1, 5), 'kind'), ['regressed']);
    assert.deepEqual(pairs.slice('regressed', 7, 5), []);
  });

  it('makes rows of them: state, what is expected, and first words of both', async () => {
    const pairs = await open();
    const all = pairs.slice('all', 0, 5);
    const words = await pairs.previews(all);
    const rows = all.map((pair, at) => toComparisonRow(pair, words[at] ?? ['', '']));
    const yes = { mark: 'succeeded', reason: '', outputTokens: 3, words: 'yes', expected: 'passes', failed: [] };
    assert.deepEqual(rows.slice(0, 4), [
      {
        id: 'worse',
        kind: 'regressed',
        before: yes,
        after: { ...yes, outputTokens: 7, words: 'no, never', expected: 'fails', failed: ['contains', 'equals'] },
      },
      {
        ...{ id: 'failed', kind: 'regressed', before: yes },
        after: { mark: 'failed', reason: 'api_error', outputTokens: 0, words: rows[1]?.after?.words, failed: [] },
      },
      { id: 'gone', kind: 'lost', before: yes },
      { id: 'new', kind: 'added', after: yes },
    ]);
    const worse = all[0];
    assert.ok(worse);
    assert.match((await pairs.lines(worse))[1] ?? '', /no, never/);
  });

  it('says above them which runs these are, what they were judged by, and lines that cannot be used', async () => {
    const { comparison } = await open();
    const head = toComparisonHead(
      { title: 'Two', sides: [facts, { ...facts, models: [] }], judgedBy: 'a.expect.jsonl' },
      comparison,
      english,
    );
    assert.deepEqual(head.counts, { all: 5, regressed: 2, fixed: 0, changed: 0, lost: 1, added: 1, same: 1 });
    assert.deepEqual(head.notices, ['Invalid checks: 1.']);
    assert.match(head.runs[0].facts.join(), /^m-1,Jan 1, 2026.*,Lab$/);
    assert.equal(head.runs[1].facts.length, 2);
    assert.equal(head.measures.length, 4);
    assert.deepEqual(
      [head.summary, head.chance, head.tone],
      ['2 worse, 0 better, 1 the same', 'The difference can be chance. Compare about 18 more requests.', 'unclear'],
    );
    assert.match(head.method, /^Answers are judged by a\.expect\.jsonl\./);
    const bare = toComparisonHead({ title: 'Two', sides: [facts, facts], judgedBy: undefined }, comparison, english);
    assert.match(bare.method, /^Complete answers count as good\./);
  });
});
