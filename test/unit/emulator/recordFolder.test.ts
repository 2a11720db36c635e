import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { RecordFolder } from '../../../src/emulator/recordFolder';

describe('src/emulator/recordFolder', () => {
  let folder: string;
  const schema = z.object({ id: z.string(), n: z.number() });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'records-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps what was saved last for each id', async () => {
    const { folder: kept } = await RecordFolder.open(folder, schema);
    const changing = { id: 'a', n: 0 };
    for (let n = 1; n <= 50; n++) {
      changing.n = n;
      kept.save(changing);
      if (n % 10 === 0) {
        await new Promise(resolve => setImmediate(resolve));
      }
    }
    kept.save({ id: 'b', n: 7 });
    await kept.flush();
    const { records } = await RecordFolder.open(folder, schema);
    assert.deepEqual(
      [...records].sort((x, y) => x.n - y.n),
      [
        { id: 'b', n: 7 },
        { id: 'a', n: 50 },
      ],
    );
    assert.deepEqual((await readdir(folder)).sort(), ['a.json', 'b.json']);
  });

  it('removes a record even while it is being written', async () => {
    const { folder: kept } = await RecordFolder.open(folder, schema);
    kept.save({ id: 'a', n: 1 });
    await kept.remove('a');
    await kept.flush();
    assert.deepEqual(await readdir(folder), []);
  });

  it('leaves out files that are no such record', async () => {
    await writeFile(path.join(folder, 'broken.json'), '{"id":"x"');
    await writeFile(path.join(folder, 'other.json'), '{"id":"x"}');
    await writeFile(path.join(folder, 'good.json'), '{"id":"good","n":1}');
    await writeFile(path.join(folder, 'half.json.new'), '{"id":"half","n":1}');
    assert.deepEqual((await RecordFolder.open(folder, schema)).records, [{ id: 'good', n: 1 }]);
  });

  it('keeps nothing without a folder', async () => {
    const { folder: kept, records } = await RecordFolder.open(undefined, schema);
    kept.save({ id: 'a', n: 1 });
    await kept.flush();
    await kept.remove('a');
    assert.deepEqual(records, []);
  });

  it('makes the folder it is told to keep records in', async () => {
    const { folder: kept } = await RecordFolder.open(path.join(folder, 'new'), schema);
    kept.save({ id: 'a', n: 1 });
    await kept.flush();
    assert.equal(await readFile(path.join(folder, 'new', 'a.json'), 'utf8'), '{"id":"a","n":1}');
  });
});
