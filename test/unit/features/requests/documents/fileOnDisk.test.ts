import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { readDocument, withSnapshot } from '../../../../../src/features/requests/documents/fileOnDisk';

function documentOf(lines: readonly string[], eol = vscode.EndOfLine.LF) {
  const document = { uri: vscode.Uri.file('/a.jsonl'), lineCount: lines.length, eol, version: 1 };
  return { ...document, lineAt: (line: number | vscode.Position) => ({ text: lines[Number(line)] ?? '' }) as vscode.TextLine };
}

describe('features/requests/documents/fileOnDisk', () => {
  let folder = '';
  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'snapshot-')), 'new');
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  it('writes the text as VS Code would save it, and deletes the file afterwards', async () => {
    const lines = [...Array.from({ length: 1200 }, (_, index) => `{"n":"é${index}"}`), ''];
    const seen = await withSnapshot(documentOf(lines, vscode.EndOfLine.CRLF), folder, async file => {
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      return readFile(file, 'utf8');
    });
    assert.equal(seen, lines.join('\r\n'));
    assert.deepEqual(await readdir(folder), []);
  });

  it('deletes the file if its use fails', async () => {
    await assert.rejects(
      withSnapshot(documentOf(['a']), folder, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('fails when the document is edited meanwhile', async () => {
    const document = documentOf(Array.from({ length: 1200 }, () => 'x'));
    const read = async () => {
      for await (const piece of readDocument(document)) {
        assert.ok(piece.length > 0);
        document.version++;
      }
    };
    await assert.rejects(read(), /changed while it was being read/);
  });
});
