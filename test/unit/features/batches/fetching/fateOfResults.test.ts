import assert from 'node:assert/strict';
import { copyFile, mkdtemp, open, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fateOfResults, withStamp } from '../../../../../src/features/batches/fetching/fateOfResults';
import type { FetchedResults } from '../../../../../src/features/ledger/submission';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';
import { withFaultyDisk } from '../../../../helpers/faultyDisk';

describe('features/batches/fetching/fateOfResults', () => {
  let folder: string;
  let results: FetchedResults;
  const file = (name: string) => path.join(folder, name);
  const fate = (of: FetchedResults = results) => fateOfResults(of, file('index'));

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fate-'));
    const text = 'words '.repeat(100);
    const line = (n: number) => `{"custom_id":"r${n}","result":{"type":"errored","error":{"message":"${text}"}}}\n`;
    await writeFile(file('raw'), Array.from({ length: 1000 }, (_, n) => line(n)).join(''));
    const source = { rawPath: file('raw'), joinedPath: file('a.jsonl'), indexPath: file('index') };
    const { report, joinedPath } = await joinResults(source, { throwIfAborted: () => {}, progress: () => {} });
    // A change right behind the writing may fall into the same tick of the disk's clock.
    await utimes(joinedPath, 1_800_000_000, 1_800_000_000);
    results = await withStamp({ joinedPath, report, fetchedAt: new Date().toISOString() });
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function changeOneLetter(): Promise<void> {
    const opened = await open(file('a.jsonl'), 'r+');
    await opened.write('W', 6000);
    await opened.close();
  }

  it('knows what was written, also without its index, and without its stamp', async () => {
    assert.equal(await fate(), 'same');
    const { stamp: _, ...old } = results;
    assert.equal(await fate(old), 'same', 'a record of an older version');
    await truncate(file('index'), 20);
    assert.equal(await fate(), 'same');
    assert.equal(await fate(old), 'changed', 'nobody knows any more');
  });

  it('finds one letter that was changed between the samples of a large file', async () => {
    await changeOneLetter();
    assert.equal(await fate(), 'changed');
    await copyFile(file('raw'), file('a.jsonl'));
    assert.equal(await fate(), 'changed');
    await rm(file('a.jsonl'));
    assert.equal(await fate(), 'gone');
  });

  it('takes a file that the disk does not show for changed', async () => {
    await withFaultyDisk('stat', 'EIO', 'a.jsonl', async () => assert.equal(await fate(), 'changed'));
  });
});
