import assert from 'node:assert/strict';
import fs, { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSubmissionRegistry } from '../../../../src/features/ledger/createSubmissionRegistry';
import type { Submission } from '../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../src/features/ledger/submissionRegistry';

const id = '11111111-1111-4111-8111-111111111111';

function submission(name: string): Submission {
  return {
    ...{ id: name, connection: 'Lab', origin: 'http://127.0.0.1:4010', source: 'file:///home/ada/requests.jsonl' },
    ...{ fileBytes: 1, sha256: 'ab', requestCount: 1, bodyBytes: 1, startedAt: new Date().toISOString() },
    ...{ state: 'created', batchId: `msgbatch_${name}` },
  };
}

describe('features/ledger/ownWrites', () => {
  let folder: string;
  const open: SubmissionRegistry[] = [];

  function registry(): SubmissionRegistry {
    const made = createSubmissionRegistry({ folder, log: { warn: () => {} } });
    open.push(made);
    return made;
  }

  /** Puts another record in the place of one, as a window that passed this one by does. */
  function replace(change: Partial<Submission>): void {
    const file = path.join(folder, id, 'submission.json');
    const raw = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(`${file}.other`, `${JSON.stringify({ ...raw, ...change }, null, 2)}\n`);
    renameSync(`${file}.other`, file);
  }

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'own-'));
  });

  afterEach(() => {
    for (const made of open.splice(0)) {
      made.dispose();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('sees what another window wrote right after a write of this one, before this one looked', async () => {
    const kept = registry();
    await kept.save(submission(id));
    await afterRename(
      'submission.json',
      () => replace({ problem: 'theirs' }),
      () => kept.update(id, { isEndSeen: false }),
    );
    assert.equal(kept.find(id)?.problem, undefined, 'it knows what it wrote');
    await kept.reload();
    assert.equal(kept.find(id)?.problem, 'theirs');
  });
});

/** Does something else in the moment after a file got its name, once, while `action` runs. */
async function afterRename(name: string, meanwhile: () => void, action: () => Promise<unknown>): Promise<void> {
  const { rename } = fs.promises;
  let isDone = false;
  fs.promises.rename = async (from, to) => {
    await rename(from, to);
    if (!isDone && path.basename(String(to)) === name) {
      isDone = true;
      meanwhile();
    }
  };
  syncBuiltinESMExports();
  try {
    await action();
  } finally {
    fs.promises.rename = rename;
    syncBuiltinESMExports();
  }
  assert.ok(isDone);
}
