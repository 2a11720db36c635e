import assert from 'node:assert/strict';
import { type MergeDependencies, mergeNeedOf, mergeRuns } from '../../../../../src/features/batches/generations/mergeRuns';
import { retrySourcesOf } from '../../../../../src/features/batches/retrying/retrySources';
import { toRuns } from '../../../../../src/features/ledger/runs';
import type { FetchedResults, MergedResults, Submission } from '../../../../../src/features/ledger/submission';
import type { MergeSource } from '../../../../../src/jsonl/merging/mergingJobs';

const submission = (id: string, minute: number, more: Partial<Submission> = {}): Submission => ({
  id,
  connection: 'Here',
  origin: 'http://127.0.0.1:1',
  source: `file:///${id}.jsonl`,
  fileBytes: 10,
  sha256: id,
  requestCount: 1,
  bodyBytes: 10,
  state: 'created',
  startedAt: new Date(minute * 60_000).toISOString(),
  ...more,
});
const fetched = (minute: number) => ({ joinedPath: `${minute}`, fetchedAt: new Date(minute * 60_000).toISOString() }) as FetchedResults;
const follows = { runId: 'root', purpose: 'retry' } as const;
const folder = (id: string) => `/ledger/${id}`;
const pathOf = (source: string) => source.replace('file://', '');

function need(all: readonly Submission[], id = 'root') {
  const runs = toRuns(all);
  const run = runs.find(one => one.id === id);
  return run && mergeNeedOf(runs, run);
}

function sources(all: readonly Submission[], id: string) {
  const runs = toRuns(all);
  const run = runs.find(one => one.id === id);
  return run && retrySourcesOf(runs, run, { folder }, pathOf);
}

describe('features/batches/generations/mergeRuns', () => {
  it('merges when two generations have results, the oldest one of them', () => {
    const root = submission('root', 1, { results: fetched(5) });
    assert.equal(need([root]), undefined);
    assert.equal(need([root, submission('again', 2, { follows })]), undefined, 'the second has none yet');
    assert.equal(need([submission('root', 1), submission('again', 2, { follows, results: fetched(6) })]), undefined, 'the first has none');
    const both = [root, submission('again', 2, { follows, results: fetched(6) })];
    for (const id of ['root', 'again']) {
      assert.deepEqual(
        need(both, id)?.runs.map(run => run.id),
        ['root', 'again'],
      );
      assert.equal(need(both, id)?.isDone, false);
    }
  });

  it('is done until a generation is added or fetched again', () => {
    const merged = { ...fetched(7), runIds: ['root', 'again'] } as MergedResults;
    const root = submission('root', 1, { results: fetched(5), merged });
    const again = submission('again', 2, { follows, results: fetched(6) });
    assert.equal(need([root, again])?.isDone, true);
    assert.equal(need([root, { ...again, results: fetched(8) }])?.isDone, false);
    assert.equal(need([root, again, submission('third', 3, { follows, results: fetched(6) })])?.isDone, false);
  });

  it('plans a retry from all files that were merged, and leaves to batches under way what they hold', () => {
    const merged = { ...fetched(7), runIds: ['root', 'again'] } as MergedResults;
    const all = [
      submission('root', 1, { results: fetched(5), merged, fromEditor: true }),
      submission('again', 2, { follows, results: fetched(6) }),
      submission('waiting', 3, { follows }),
      submission('failed', 4, { follows, state: 'failed' }),
      submission('deleted', 5, { follows, deleted: true }),
    ];
    const found = sources(all, 'again');
    assert.equal(found?.plan.joinedPath, '7');
    assert.equal(found?.plan.indexPath, '/ledger/root/merged.index');
    assert.deepEqual(
      found?.files.map(({ path }) => path),
      ['/ledger/root/source.jsonl', '/root.jsonl', '/again.jsonl'],
    );
    assert.deepEqual(found?.plan.underWay, ['/ledger/waiting/lines.tsv']);
    assert.equal(sources([submission('root', 1)], 'root'), undefined);
  });

  it('takes parts of a fetched group that still run for under way, and those that came to nothing for not sent', () => {
    const part = (index: number, more: Partial<Submission>) =>
      submission(`part${index}`, index + 1, { source: 'file:///large.jsonl', group: { id: 'g', index, count: 4 }, ...more });
    const all = [
      part(0, { results: fetched(5), groupResults: fetched(6) }),
      part(1, {}),
      part(2, { state: 'unknown' }),
      part(3, { state: 'failed' }),
    ];
    const found = sources(all, 'part0');
    assert.deepEqual(found?.plan.underWay, ['/ledger/part1/lines.tsv', '/ledger/part2/lines.tsv']);
    assert.deepEqual(
      found?.files.map(({ linesPath }) => linesPath),
      ['/ledger/part0/lines.tsv', '/ledger/part1/lines.tsv', '/ledger/part2/lines.tsv'],
    );
  });

  it('merges a group with a part that came to nothing by the lines of those that were sent', async () => {
    const group = (index: number) => ({ group: { id: 'g', index, count: 2 }, source: 'file:///large.jsonl' });
    const all = [
      submission('root', 1, { ...group(0), results: fetched(5), groupResults: fetched(6) }),
      submission('lost', 2, { ...group(1), state: 'failed' }),
      submission('rest', 3, { follows: { runId: 'root', purpose: 'changed' }, results: fetched(7) }),
    ];
    const asked: (readonly string[])[] = [];
    const jobs = {
      run: async (_name: string, input: { readonly generations: readonly { readonly linesPaths: readonly string[] }[] }) => {
        asked.push(...input.generations.map(({ linesPaths }) => linesPaths));
        return { joinedPath: '/final', report: {}, taken: [] };
      },
    } as unknown as MergeDependencies['jobs'];
    const registry = {
      all: () => all,
      reload: async () => {},
      folder,
      update: async () => all[0],
    } as unknown as MergeDependencies['registry'];
    const deps = {
      jobs,
      registry,
      placeFor: async () => '/final',
      canReplace: async () => true,
      fateOf: async () => 'same' as const,
      mendLines: async () => 'whole' as const,
      now: () => 0,
      hashesOf: async () => undefined,
    };
    const run = toRuns(all).find(({ id }) => id === 'root');
    assert.ok(run);
    await mergeRuns(deps, run);
    assert.deepEqual(asked, [['/ledger/root/lines.tsv'], ['/ledger/rest/lines.tsv']]);
  });

  it('tells the merge what each generation said, hashed only where words can have changed', async () => {
    const made = [{ source: 'file:///r.jsonl', sha256: 'made', purpose: 'retry', madeAt: '' }] as const;
    const root = submission('root', 1, { results: fetched(5), made });
    const retry = submission('retry', 2, { follows, sha256: 'made', results: fetched(6) });
    const edited = submission('edited', 3, { follows, results: fetched(7) });
    const changed = submission('changed', 4, { follows: { runId: 'root', purpose: 'changed' }, results: fetched(8) });
    const told = async (...all: readonly Submission[]) => {
      let generations: MergeSource['generations'] = [];
      const jobs = {
        run: async (_name: string, input: MergeSource) => {
          generations = input.generations;
          return { joinedPath: '/final', report: {}, taken: [] };
        },
      } as unknown as MergeDependencies['jobs'];
      const registry = { all: () => all, reload: async () => {}, folder, update: async () => all[0] };
      const places = {
        placeFor: async () => '/final',
        canReplace: async () => true,
        fateOf: async () => 'same' as const,
        mendLines: async () => 'whole' as const,
        now: () => 0,
      };
      const hashesOf = async ({ id }: Submission) => (id === 'edited' ? undefined : `/hash/${id}`);
      const [run] = toRuns(all);
      assert.ok(run);
      await mergeRuns({ jobs, registry: registry as unknown as MergeDependencies['registry'], ...places, hashesOf }, run);
      return generations.map(({ words, isRetry }) => [words, isRetry]);
    };
    assert.deepEqual(await told(root, retry), [
      [[{ sha256: 'root' }], false],
      [[{ sha256: 'made' }], true],
    ]);
    assert.deepEqual(await told(root, retry, edited, changed), [
      [[{ sha256: 'root', hashesPath: '/hash/root' }], false],
      [[{ sha256: 'made', hashesPath: '/hash/retry' }], true],
      [[{ sha256: 'edited' }], false],
      [[{ sha256: 'changed', hashesPath: '/hash/changed' }], false],
    ]);
  });

  it('writes merged results again that are gone, and elsewhere when something else stands there', async () => {
    const merged = { ...fetched(8), joinedPath: '/a.final.jsonl', runIds: ['root', 'again'] } as MergedResults;
    const all = [submission('root', 1, { results: fetched(5), merged }), submission('again', 2, { follows, results: fetched(6) })];
    const run = toRuns(all).find(({ id }) => id === 'root');
    assert.ok(run);
    const writtenTo = async (fate: 'same' | 'gone' | 'changed') => {
      let to: string | undefined;
      const jobs = {
        run: async (_name: string, { joinedPath }: { readonly joinedPath: string }) => {
          to = joinedPath;
          return { joinedPath: '/final', report: {}, taken: [] };
        },
      } as unknown as MergeDependencies['jobs'];
      const registry = { all: () => all, reload: async () => {}, folder, update: async () => all[0] };
      const places = {
        placeFor: async () => '/a.final-2.jsonl',
        canReplace: async () => true,
        fateOf: async () => fate,
        mendLines: async () => 'whole' as const,
      };
      await mergeRuns(
        { jobs, registry: registry as unknown as MergeDependencies['registry'], ...places, now: () => 0, hashesOf: async () => undefined },
        run,
      );
      return to;
    };
    assert.equal(await writtenTo('same'), undefined);
    assert.equal(await writtenTo('gone'), '/a.final.jsonl');
    assert.equal(await writtenTo('changed'), '/a.final-2.jsonl');
  });
});
