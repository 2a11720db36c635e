import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../../../src/common/clock';
import type { Submission } from '../../../../src/features/ledger/submission';
import { SubmissionRegistry } from '../../../../src/features/ledger/submissionRegistry';

/** Returns a submission that was started `minute` minutes after 1970. */
export const submission = (id: string, minute: number, more: Partial<Submission> = {}): Submission => ({
  id,
  connection: 'Here',
  origin: 'http://127.0.0.1:1',
  source: 'file:///a.jsonl',
  fileBytes: 10,
  sha256: 'a',
  requestCount: 1,
  bodyBytes: 10,
  state: 'created',
  startedAt: new Date(minute * 60_000).toISOString(),
  ...more,
});
/** Returns a submission that is part of a group of two. */
export const part = (id: string, index: number, minute: number, more: Partial<Submission> = {}) =>
  submission(id, minute, { group: { id: 'g', index, count: 2 }, ...more });

/** Valid IDs of submissions. */
export const ids = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
] as const;

const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();

/** Returns a submission of an hour ago. The ID is a valid folder name of the ledger. */
export const recordOf = (change: Partial<Submission> = {}): Submission => ({
  ...{ id: ids[0], connection: 'Lab', origin: 'http://127.0.0.1:4010', source: 'file:///home/ada/requests.jsonl' },
  ...{ fileBytes: 120, sha256: 'ab'.repeat(32), requestCount: 3, bodyBytes: 100, state: 'failed' },
  ...{ startedAt: anHourAgo, ...change },
});

/** Creates a ledger folder for each test of a suite. Registries are disposed after the test. */
export function useLedger() {
  const opened: SubmissionRegistry[] = [];
  const ledger = {
    folder: '',
    /** Opens the ledger as a new window. Without `warn`, a warning fails the test. */
    open(warn: (message: string) => void = assert.fail, clock?: Clock): SubmissionRegistry {
      const registry = new SubmissionRegistry({ folder: ledger.folder, log: { warn }, clock });
      opened.push(registry);
      return registry;
    },
    /** Opens and reads the ledger. */
    async loaded(warn?: (message: string) => void, clock?: Clock): Promise<SubmissionRegistry> {
      const registry = ledger.open(warn, clock);
      await registry.load();
      return registry;
    },
  };
  beforeEach(() => {
    ledger.folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
  });
  afterEach(() => {
    for (const registry of opened.splice(0)) {
      registry.dispose();
    }
    rmSync(ledger.folder, { recursive: true, force: true });
  });
  return ledger;
}
