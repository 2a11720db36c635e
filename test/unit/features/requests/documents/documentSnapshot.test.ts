import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDocument, withSnapshot } from '../../../../../src/features/requests/documents/documentSnapshot';

function documentOf(lines: readonly string[], eol: 1 | 2 = 1) {
  return { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line] ?? '' }), eol, version: 1 };
}

describe('features/requests/documents/documentSnapshot', () => {
  let folder = '';
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'snapshot-')), 'new');
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  it('hands out the text as saving would write it, and removes it after', async () => {
    const lines = [...Array.from({ length: 1200 }, (_, index) => `{"n":"é${index}"}`), ''];
    const seen = await withSnapshot(documentOf(lines, 2), folder, 'changed', async file => {
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      return readFile(file, 'utf8');
    });
    assert.equal(seen, lines.join('\r\n'));
    assert.deepEqual(await readdir(folder), []);
  });

  it('removes the file when its use fails', async () => {
    await assert.rejects(
      withSnapshot(documentOf(['a']), folder, 'changed', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('fails when the document is edited meanwhile', async () => {
    const document = documentOf(Array.from({ length: 1200 }, () => 'x'));
    const read = async () => {
      for await (const piece of readDocument(document, 'edited')) {
        assert.ok(piece.length > 0);
        document.version++;
      }
    };
    await assert.rejects(read(), /edited/);
  });
});
