import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EditedRequest } from '../../../../../src/features/requests/editor/editedRequest';

const request = (id: string, words = '') => JSON.stringify({ custom_id: id, params: { words } });
const toDocument = (...lines: string[]) => ({ lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line] ?? '' }) });
const uri = vscode.Uri.file('/a.jsonl');
const follow = (found: { line: number; text: string }) => new EditedRequest('1', uri, uri, found, '  ', 1);
const inPlace = [{ start: 0, removed: 1, inserted: 1 }];

describe('features/requests/editor/editedRequest', () => {
  it('uses the line that a search finds', async () => {
    const followed = follow({ line: 0, text: request('a') });
    assert.equal(await followed.locate(async () => ({ line: 2, text: request('a') })), 'moved');
    assert.equal(followed.line.line, 2);
    assert.equal(await followed.locate(async () => undefined), 'lost');
    assert.equal(followed.isLost, true);
    assert.equal(await followed.locate(async () => ({ line: 1, text: request('a', 'new') })), 'found');
  });

  it('keeps edits made during a search, because they are newer than its result', async () => {
    const followed = follow({ line: 0, text: request('a', 'saved') });
    const fate = followed.locate(async ({ line, text }) => ({ line, text: text ?? '' }));
    assert.equal(followed.follow(inPlace, toDocument(request('a', 'undone'))), 'changed');
    assert.equal(await fate, undefined);
    assert.equal(followed.line.text, request('a', 'undone'));
  });

  it("doesn't restore a line that was deleted during a search", async () => {
    const followed = follow({ line: 0, text: request('a') });
    const fate = followed.locate(async () => ({ line: 0, text: request('a') }));
    assert.equal(followed.follow([{ start: 0, removed: 2, inserted: 1 }], toDocument(request('b'))), 'lost');
    assert.equal(await fate, undefined);
    assert.equal(followed.isLost, true);
  });
});
