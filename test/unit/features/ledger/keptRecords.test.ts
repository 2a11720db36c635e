import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderRegistry } from '../../../../src/features/ledger/folderRegistry';
import { toRuns } from '../../../../src/features/ledger/runs';
import { isDamaged } from '../../../../src/features/ledger/submission';

describe('ledger of version 0.4.0', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kept-ledger-'));
    cpSync('test/fixtures/kept/0.4.0/ledger', folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('loads whole: each submission, its batch, its results and the parts of a run', async () => {
    const warnings: string[] = [];
    const registry = new FolderRegistry({ folder, log: { warn: (warning: string) => warnings.push(warning) } });
    try {
      await registry.load();
      const submissions = registry.all();
      assert.deepEqual(warnings, []);
      assert.deepEqual(submissions.filter(isDamaged), []);
      assert.deepEqual(submissions.map(({ state }) => state).sort(), [...Array(6).fill('created'), 'failed']);
      const runs = toRuns(submissions);
      assert.deepEqual(runs.map(({ parts, lead }) => [parts, lead.results !== undefined]).sort(), [
        [1, true],
        [1, true],
        [1, true],
        [3, false],
      ]);
      assert.deepEqual(
        runs.flatMap(({ follows }) => follows?.purpose ?? []),
        ['retry'],
      );
    } finally {
      registry.dispose();
    }
  });
});
