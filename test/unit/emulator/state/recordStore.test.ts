import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { RecordStore } from '../../../../src/emulator/state/recordStore';

describe('emulator/state/recordStore', () => {
  let folder: string;
  const schema = z.object({ id: z.string(), sequence: z.number(), n: z.number().optional() });
  const open = (where: string | undefined = folder) => RecordStore.open(where, schema, 'Thing');

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'records-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps what was put last for each id, in the order of creation', async () => {
    const kept = await open();
    const late = { id: 'late', sequence: 11, n: 0 };
    for (let n = 1; n <= 50; n++) {
      late.n = n;
      kept.put(late);
      if (n % 10 === 0) {
        await new Promise(resolve => setImmediate(resolve));
      }
    }
    kept.put({ id: 'early', sequence: 2 });
    await kept.flush();
    const again = await open();
    assert.deepEqual(again.list(), [late, { id: 'early', sequence: 2 }]);
    assert.deepEqual([again.nextSequence(), again.nextSequence(), again.isEmpty], [12, 13, false]);
    assert.deepEqual((await readdir(folder)).sort(), ['early.json', 'late.json']);
  });

  it('deletes a record even while it is being written', async () => {
    const kept = await open();
    kept.put({ id: 'a', sequence: 0 });
    await kept.delete('a');
    await kept.flush();
    assert.deepEqual(await readdir(folder), []);
    assert.equal(kept.find('a'), undefined);
    assert.throws(() => kept.get('a'), /^ApiError: Thing not found: a$/);
  });

  it('skips files that hold no such record, and names them with the fields that are wrong', async () => {
    const logged: string[] = [];
    const { error } = console;
    console.error = (line: string) => logged.push(line);
    await writeFile(path.join(folder, 'broken.json'), '{"id":"x"');
    await writeFile(path.join(folder, 'other.json'), '{"id":"x"}');
    await writeFile(path.join(folder, 'good.json'), '{"id":"good","sequence":1}');
    await writeFile(path.join(folder, 'half.json.new'), '{"id":"half","sequence":1}');
    try {
      assert.deepEqual((await open()).list(), [{ id: 'good', sequence: 1 }]);
    } finally {
      console.error = error;
    }
    assert.deepEqual(logged.sort(), ['Thing broken.json could not be read', 'Thing other.json could not be read: sequence']);
  });

  it('keeps nothing on disk without a folder', async () => {
    const kept = await RecordStore.open(undefined, schema, 'Thing');
    kept.put({ id: 'a', sequence: kept.nextSequence() });
    await kept.flush();
    assert.equal(kept.get('a').sequence, 0);
    await kept.delete('a');
    assert.equal(kept.isEmpty, true);
  });

  it('makes the folder it is told to keep records in', async () => {
    const kept = await open(path.join(folder, 'new'));
    kept.put({ id: 'a', sequence: 0 });
    await kept.flush();
    assert.equal(await readFile(path.join(folder, 'new', 'a.json'), 'utf8'), '{"id":"a","sequence":0}');
  });
});
