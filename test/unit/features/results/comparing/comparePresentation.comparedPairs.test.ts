import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ComparedSide } from '../../../../../src/features/results/comparing/compareCommand';
import { toComparisonHead, toComparisonRow, toPairView } from '../../../../../src/features/results/comparing/comparePresentation';
import { ComparedPairs } from '../../../../../src/features/results/comparing/comparisonPanel';
import { compareResults } from '../../../../../src/jsonl/comparing/compareResults';
import { comparisonFilters } from '../../../../../src/shared/comparison/comparisonProtocol';
import { fieldOf } from '../../../../helpers/fieldOf';
import { errored, makeJoined, quiet, succeeded } from '../../../jsonl/querying/joinedFile';
import { english, fillPlaceholders } from '../../requests/fillPlaceholders';

const facts = { name: 'a.jsonl', title: 'a.jsonl', startedAt: '2026-01-01T00:00:00Z', connection: 'Lab', models: ['m-1'] };

const context = { ...english, currency: 'USD', prices: new Map() };

describe('features/results/comparing/comparePresentation', () => {
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

  it('returns pairs by their position in the filtered list, and no others', async () => {
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

  it('turns them into rows: status, expectation, and first words of both', async () => {
    const pairs = await open();
    const all = pairs.slice('all', 0, 5);
    const words = await pairs.previews(all);
    const rows = all.map((pair, at) => toComparisonRow(pair, words[at] ?? ['', ''], fillPlaceholders).cells);
    assert.deepEqual(
      rows.map(cells => fieldOf(cells, 'words')),
      [
        ['worse', 'worse', 'passes', 'yes', 'fails contains, equals', 'no, never'],
        ['worse', 'failed', 'passes', 'yes', 'failed: api_error', rows[1]?.[5]?.words],
        ['missing', 'gone', 'passes', 'yes', 'no result', ''],
        ['new', 'new', 'no result', '', 'passes', 'yes'],
        ['same', 'same', 'passes', 'yes', 'passes', 'yes'],
      ],
    );
    assert.deepEqual(
      rows.slice(0, 3).map(cells => [cells[0]?.className, cells[2]?.className, cells[4]?.className]),
      [
        ['kind kind-regressed', 'mark-succeeded', 'mark-failed'],
        ['kind kind-regressed', 'mark-succeeded', 'mark-failed'],
        ['kind kind-lost', 'mark-succeeded', 'isComing'],
      ],
    );
    const worse = all[0];
    assert.ok(worse);
    const lines = await pairs.lines(worse);
    assert.match(lines[1] ?? '', /no, never/);
    const { label, links } = toPairView(worse, [undefined, lines[1]], english);
    assert.deepEqual([label, fieldOf(links, 'act')], ['Both answers to worse', ['difference', 'after', 'request']]);
  });

  it('shows above them which runs are compared, how they were judged, and unusable lines', async () => {
    const { comparison } = await open();
    const head = toComparisonHead(
      { title: 'Two', sides: [facts, { ...facts, models: [] }], judgedBy: 'a.expect.jsonl' },
      comparison,
      context,
    );
    assert.deepEqual(
      head.filters.map(({ label, count }) => `${label} ${count}`),
      ['All 5', 'Worse 2', 'Better 0', 'Changed 0', 'Only in A 1', 'Only in B 1', 'Same 1'],
    );
    assert.deepEqual(fieldOf(head.acts, 'act'), ['together']);
    assert.deepEqual(head.notices, ['Invalid checks: 1.']);
    assert.match(head.runs[0].facts.join(), /^m-1,Jan 1, 2026.*,Lab$/);
    assert.equal(head.runs[1].facts.length, 2);
    assert.equal(head.details.length, 5);
    assert.deepEqual(
      [head.summary, head.chance, head.tone],
      ['2 worse, 0 better, 1 the same', 'The difference may be chance. Compare about 18 more requests.', 'unclear'],
    );
    assert.match(head.details.at(-1) ?? '', /^Answers are judged by a\.expect\.jsonl\./);
    const bare = toComparisonHead({ title: 'Two', sides: [facts, facts], judgedBy: undefined }, comparison, context);
    assert.match(bare.details.at(-1) ?? '', /^Complete answers count as good\./);
  });
});
