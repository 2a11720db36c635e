import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { ColumnCache } from '../../../../../src/features/results/table/resultsTable';
import type { JsonlJobs } from '../../../../../src/jsonl/jobs/jobs';
import type { ColumnsSource, ValueColumn } from '../../../../../src/jsonl/querying/valueColumns';
import { fieldOf } from '../../../../helpers/fieldOf';
import { useFolder } from '../../../../helpers/useFolder';

const joined = { joinedPath: 'joined', indexPath: 'index' };

describe('features/results/table/resultsTable', () => {
  const folder = useFolder();
  let asked: ColumnsSource[];
  let fails: boolean;
  const jobs = {
    run: async (_name: string, source: ColumnsSource): Promise<readonly ValueColumn[]> => {
      asked.push(source);
      if (fails) {
        throw new Error('The file is gone.');
      }
      return source.names.map(name => ({ name, values: ['', `${name} ${asked.length}`], of: new Uint32Array([1]) }));
    },
  } as unknown as Pick<JsonlJobs, 'run'>;
  const namesAsked = () => asked.map(({ names }) => names);

  beforeEach(() => {
    asked = [];
    fails = false;
  });

  it('reads each column once, even when requested again meanwhile', async () => {
    const cache = new ColumnCache(joined, {}, jobs);
    assert.deepEqual(await cache.need([], {}), {});
    const [first, second] = await Promise.all([cache.need(['model'], {}), cache.need(['model', '$.a'], {})]);
    assert.deepEqual(namesAsked(), [['model'], ['$.a']]);
    assert.deepEqual(fieldOf(first.columns, 'name'), ['model']);
    assert.deepEqual(
      second.columns?.map(({ values }) => values[1]),
      ['model 1', '$.a 2'],
    );
    assert.equal(second.expectationsPath, undefined);
    assert.equal(cache.get('test'), undefined);
  });

  it('judges again when the expectations changed', async () => {
    const expectationsPath = folder('a.expect.jsonl');
    const cache = new ColumnCache(joined, { expectationsPath }, jobs);
    assert.equal(await cache.hasExpectations(), false);
    writeFileSync(expectationsPath, '{"contains":"a"}\n');
    assert.equal(await cache.hasExpectations(), true);
    assert.equal((await cache.need(['model', 'test'], {})).expectationsPath, expectationsPath);
    writeFileSync(expectationsPath, '{"contains":"other"}\n');
    assert.equal(await cache.hasExpectations(), true);
    assert.equal(cache.get('test'), undefined);
    await cache.need(['model', 'test'], {});
    assert.deepEqual(namesAsked(), [['model', 'test'], ['test']]);
    assert.equal(asked[1]?.expectationsPath, expectationsPath);
  });

  it('retries a failure, and does nothing for a closed panel', async () => {
    const cache = new ColumnCache(joined, {}, jobs);
    fails = true;
    await assert.rejects(cache.need(['model'], {}), /gone/);
    fails = false;
    await assert.rejects(cache.need(['model'], { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.equal((await cache.need(['model'], {})).columns?.length, 1);
    assert.equal(asked.length, 2);
  });
});
