import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderRegistry } from '../../../../src/features/ledger/folderRegistry';
import type { Submission } from '../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../src/features/ledger/submissionRegistry';

const id = '11111111-1111-4111-8111-111111111111';
const log = { warn: (message: string) => assert.fail(message) };

describe('features/ledger/folderRegistry', () => {
  let folder: string;
  const open: SubmissionRegistry[] = [];

  const opened = () => {
    const made = new FolderRegistry({ folder, log });
    open.push(made);
    return made;
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'registry-'));
  });

  afterEach(() => {
    for (const made of open.splice(0)) {
      made.dispose();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('knows nothing at first, begins to load with the first question, and fires for what it finds', async () => {
    await opened().save(submission());
    const registry = opened();
    const found = new Promise<Submission>(resolve => registry.onDidChange(resolve));
    assert.deepEqual([registry.all(), registry.find(id), registry.findBySource('file:///r.jsonl')], [[], undefined, []]);
    assert.equal((await found).id, id);
    assert.deepEqual(
      [registry.all().length, registry.find(id)?.id, registry.findBySource('file:///r.jsonl').length, registry.findByBatch('Lab', 'b')?.id],
      [1, id, 1, id],
    );
  });

  it('does what is asked while it loads in the order of the questions', async () => {
    const registry = opened();
    const states: unknown[] = [];
    registry.onDidChange(({ problem }) => states.push(problem));
    await Promise.all([
      registry.save(submission()),
      registry.update(id, { problem: 'first' }),
      registry.update(id, { problem: 'second' }),
      registry.load(),
    ]);
    assert.equal(registry.find(id)?.problem, 'second');
    assert.deepEqual(
      states.filter(state => state !== undefined),
      ['first', 'second'],
    );
  });

  it('tells folders without being loaded, and lets go of nothing', () => {
    const registry = opened();
    assert.equal(registry.folder(id), path.join(folder, id));
    assert.throws(() => registry.folder('../outside'));
    registry.letGo(id);
  });

  it('fires no more once it is disposed', async () => {
    const registry = opened();
    registry.onDidChange(() => assert.fail('It fired.'));
    const saved = registry.save(submission());
    registry.dispose();
    await saved;
  });
});

function submission(): Submission {
  return {
    id,
    source: 'file:///r.jsonl',
    fileBytes: 120,
    sha256: 'ab'.repeat(32),
    bodyBytes: 100,
    requestCount: 1,
    connection: 'Lab',
    origin: 'http://127.0.0.1:4010',
    startedAt: new Date().toISOString(),
    state: 'created',
    batchId: 'b',
  };
}
