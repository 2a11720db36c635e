import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { practiseJoin } from '../../../../src/jsonl/results/practiseJoin';

describe('jsonl/results/practiseJoin', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'practise-'));
  after(() => rmSync(folder, { recursive: true }));

  it('joins results, and leaves no files behind', async () => {
    mkdirSync(path.join(folder, 'other'));
    await practiseJoin(folder);
    assert.deepEqual(readdirSync(folder), ['other']);
  });

  it("rejects if it can't write", async () => {
    await assert.rejects(practiseJoin(path.join(folder, 'nowhere')), { code: 'ENOENT' });
  });
});
