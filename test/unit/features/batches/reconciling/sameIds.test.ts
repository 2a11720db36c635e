import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describeFit, type Fit, fits } from '../../../../../src/features/batches/reconciling/adoptBatch';
import { compareIds } from '../../../../../src/features/batches/reconciling/searchForBatch';
import { useFolder } from '../../../../helpers/useFolder';
import { english } from '../../requests/fillPlaceholders';
import { batch as batchOf } from '../batchUnderTest';

describe('features/batches/reconciling/sameIds', () => {
  const folder = useFolder();
  let lines: string;
  let left: number;

  beforeEach(() => {
    lines = folder('lines.tsv');
    left = 0;
  });

  async function* results(ids: readonly string[], pieceBytes = 7): AsyncGenerator<Uint8Array> {
    const text = Buffer.from(ids.map(id => `{"custom_id":${JSON.stringify(id)},"result":{"type":"expired"}}\n`).join(''));
    for (let at = 0; at < text.length; at += pieceBytes) {
      left = text.length - at;
      yield text.subarray(at, at + pieceBytes);
    }
  }

  function map(ids: readonly string[]): void {
    writeFileSync(lines, ids.map((id, line) => `${line}\t${id}\n`).join(''));
  }

  it('distinguishes equal IDs in any order from others, and partly equal ones', async () => {
    map(['a', '__proto__', 'c']);
    const verdict = async (ids: readonly string[]) => (await compareIds({ body: results(ids) }, lines)).verdict;
    assert.equal(await verdict(['c', '__proto__', 'a']), 'same');
    assert.equal(await verdict(['x', 'y', 'z']), 'different');
    assert.equal(await verdict(['a', 'y', 'z']), 'unclear');
    assert.equal(await verdict([]), 'unclear');
  });

  it('recognizes generated IDs', async () => {
    map(['line-1', 'line-2']);
    const found = await compareIds({ body: results(['line-2', 'line-1']) }, lines);
    assert.deepEqual([found.verdict, found.areDerived], ['same', true]);
    assert.equal((await compareIds({ body: results(['line-1', 'x']) }, lines)).areDerived, false);
  });

  it('reads no more results and lines than necessary', async () => {
    const ids = Array.from({ length: 20_000 }, (_, n) => `r${n}`);
    map(ids);
    const found = await compareIds({ body: results(ids, 4096) }, lines);
    assert.deepEqual(found, { verdict: 'same', compared: 1000, known: 1000, areDerived: false });
    assert.ok(left > 500_000, `${left} bytes left`);
  });

  it('throws when there is no line map', async () => {
    await assert.rejects(compareIds({ body: results(['a']) }, folder('none.tsv')), { code: 'ENOENT' });
  });
});

describe('features/batches/reconciling/sameIds adoptMessages', () => {
  const batch = batchOf('ended', { succeeded: 2, errored: 1 });
  const fitOf = (change: Partial<Fit> = {}): Fit => ({ batch, fileName: 'a.jsonl', requestCount: 3, invalidCount: 0, ...change });

  it("describes what matches and what doesn't", () => {
    const same = fitOf({ ids: { verdict: 'same', compared: 3, known: 3 } });
    assert.ok(fits(same));
    assert.match(describeFit(same, english), /^Match: same number of requests \(3\)\.\nMatch: all compared IDs/);
    const other = fitOf({ requestCount: 5, invalidCount: 2, ids: { verdict: 'unclear', compared: 3, known: 1 } });
    assert.ok(!fits(other));
    assert.match(
      describeFit(other, english),
      /^No match: the batch has 3 requests, a\.jsonl has 5\.\nLines of a\.jsonl without a request: 2\.\n/,
    );
    assert.match(describeFit(other, english), /1 of 3 compared IDs are in a\.jsonl/);
    assert.ok(fits(fitOf()));
    assert.match(describeFit(fitOf(), english), /Can't compare the IDs yet/);
  });
});
