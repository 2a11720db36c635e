import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { changeOf } from '../../../../../src/features/ledger/applyRenames';
import type { FetchedResults, Submission } from '../../../../../src/features/ledger/submission';
import { findMoves } from '../../../../../src/features/requests/answers/movedFiles';
import { submission } from '../../ledger/ledgerOfTest';

const uri = vscode.Uri.file('/new/q.jsonl');
const results = { joinedPath: '/old/q.results.jsonl' } as FetchedResults;
const sent = submission('s', 0, { source: 'file:///old/q.jsonl', sha256: 'content', fileBytes: 7, results });

async function moves(all: readonly Submission[], there: readonly string[], sha256 = 'content', bytes = 7) {
  let hashed = 0;
  const hash = async () => {
    hashed++;
    return sha256;
  };
  const found = await findMoves(all, { uri, bytes, hash, exists: async file => there.includes(file) });
  return { hashed, found };
}

describe('features/requests/answers/movedFiles', () => {
  it('finds the answers of a moved file, and results moved with it', async () => {
    const { found } = await moves([sent], ['/new/q.results.jsonl']);
    assert.deepEqual(changeOf(sent, found), { source: 'file:///new/q.jsonl', results: { joinedPath: '/new/q.results.jsonl' } });
    const left = await moves([sent], ['/old/q.results.jsonl']);
    assert.deepEqual(changeOf(sent, left.found), { source: 'file:///new/q.jsonl' });
  });

  it('ignores a copy, other content, and a file with its own runs', async () => {
    assert.deepEqual((await moves([sent], ['/old/q.jsonl'])).found, []);
    assert.deepEqual((await moves([sent], [], 'other')).found, []);
    assert.deepEqual(await moves([sent], [], 'content', 8), { hashed: 0, found: [] });
    assert.deepEqual(await moves([sent, submission('own', 1, { source: uri.toString() })], []), { hashed: 0, found: [] });
  });
});
