import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../../../src/common/log';
import { hashSoon } from '../../../../src/features/batches/hashSoon';
import type { SubmissionRegistry } from '../../../../src/features/ledger';
import { submissionFiles } from '../../../../src/features/ledger/submissionFile';
import type { JsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import { MemoryRegistry } from '../../../helpers/memoryRegistry';
import { until } from '../../../helpers/until';
import { useFolder } from '../../../helpers/useFolder';
import { submissionOf } from './fileRuns/submissionOf';

describe('features/batches/hashSoon', () => {
  const file = useFolder();
  const hour = 3_600_000;
  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

  it('hashes requests whose upload took long', async () => {
    const source = pathToFileURL(file('a.jsonl')).href;
    await mkdir(file('1'));
    await writeFile(file('1', submissionFiles.lines), '');
    await writeFile(file('a.jsonl'), 'x');
    const sending = submissionOf('1', { source, state: 'sending', startedAt: ago(hour) });
    const registry = Object.assign(new MemoryRegistry([sending]), { folder: (id: string) => file(id) });
    const hashed: string[] = [];
    const jobs = { run: async (name: string) => void hashed.push(name) };
    const hashing = hashSoon({
      registry: registry as unknown as SubmissionRegistry,
      jobs: jobs as unknown as JsonlJobs,
      log: {} as Log,
      lifetime: new AbortController().signal,
    });
    await registry.update('1', { handedOut: true, steps: [{ what: 'handed_out', at: ago(0) }] });
    await until(() => hashed.length > 0, 10);
    assert.deepEqual(hashed, ['hashRequests']);
    hashing.dispose();
  });
});
