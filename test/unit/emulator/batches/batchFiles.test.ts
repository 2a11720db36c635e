import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BatchFiles } from '../../../../src/emulator/batches/batchFiles';

describe('emulator/batches/batchFiles', () => {
  it('keeps the last of several records that are written at once', async () => {
    const files = new BatchFiles(await mkdtemp(path.join(tmpdir(), 'batch-files-')));
    await Promise.all(Array.from({ length: 20 }, (_, n) => files.writeRecord({ n })));
    assert.deepEqual(await files.readRecord(), { n: 19 });
    assert.deepEqual(await readdir(files.folder), ['batch.json']);
    await files.remove();
    await assert.rejects(files.writeRecord({ n: 20 }), { code: 'ENOENT' });
  });
});
