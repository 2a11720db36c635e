import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { readContent } from '../../../src/features/batches/submitting/createBatchTarget';
import { closeEditors } from '../useExtension';

describe('content that is sent for a target', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'target-'));
  });

  afterEach(async () => {
    await closeEditors();
    rmSync(folder, { recursive: true, force: true });
  });

  const noCopy = async (): Promise<string> => assert.fail('copied');
  const copyTo = async (): Promise<string> => folder;
  const read = async (file: string): Promise<string> => Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.file(file))).toString();

  it('is the file on disk if the editor has no unsaved changes', async () => {
    const file = path.join(folder, `${randomUUID()}.jsonl`);
    writeFileSync(file, '{}\n');
    assert.deepEqual(await readContent(vscode.Uri.file(file), noCopy), { path: file, fromEditor: false });
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    assert.deepEqual(await readContent(vscode.Uri.file(file), noCopy), { path: file, fromEditor: false });
  });

  it("is the editor's unsaved text, to the byte", async () => {
    const file = path.join(folder, 'edited.jsonl');
    writeFileSync(file, '{"a":1}\r\n{"b":"é"}\r\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await editor.edit(change => change.insert(new vscode.Position(1, 0), '{"new":"\u2028"}\n'));
    const content = await readContent(vscode.Uri.file(file), copyTo);
    assert.equal(content.fromEditor, true);
    assert.equal(await read(content.path), editor.document.getText());
    assert.equal(await read(file), '{"a":1}\r\n{"b":"é"}\r\n');
  });

  it('is the text of an untitled document', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'jsonl', content: '{"x":1}' });
    await vscode.window.showTextDocument(document);
    const content = await readContent(document.uri, copyTo);
    assert.equal(await read(content.path), '{"x":1}');
  });

  it('is an error for a deleted file, or a folder', async () => {
    await assert.rejects(readContent(vscode.Uri.file(path.join(folder, 'none.jsonl')), noCopy), /File not found/);
    await assert.rejects(readContent(vscode.Uri.file(folder), noCopy), /is not a file/);
  });
});
