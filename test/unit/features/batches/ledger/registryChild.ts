// Runs in a process of its own: writes one submission and kills itself at the n-th step on the disk, or keeps sending.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Submission } from '../../../../../src/features/batches/ledger/submission';

const [folder = '', id = '', mode, killAt] = process.argv.slice(2);
let step = 0;

function count(): void {
  step++;
  if (step === Number(killAt)) {
    process.kill(process.pid, 'SIGKILL');
  }
}

type Call = (...args: unknown[]) => Promise<unknown>;

/** Counts before and after a call, so that the process dies on either side of it. */
function counting(target: Record<string, Call>, name: string): void {
  const original = target[name];
  if (original === undefined) {
    throw new Error(`no ${name}`);
  }
  target[name] = async function (this: unknown, ...args: unknown[]) {
    count();
    const result = await original.apply(this, args);
    count();
    return result;
  };
}

const handle = await fs.promises.open(new URL(import.meta.url), 'r');
const handles = Object.getPrototypeOf(handle) as Record<string, Call>;
await handle.close();
const { createSubmissionRegistry } = await import('../../../../../src/features/batches/ledger/submissionRegistry');
const registry = createSubmissionRegistry({ folder, log: console });
await registry.load();
if (mode === 'update') {
  counting(handles, 'writeFile');
  counting(handles, 'sync');
  for (const name of ['open', 'rename', 'rm']) {
    counting(fs.promises as unknown as Record<string, Call>, name);
  }
  syncBuiltinESMExports();
  await registry.update(id, { problem: 'new' });
  process.exit(0);
}
const sending: Submission = {
  id,
  connection: 'Lab',
  origin: 'http://127.0.0.1:4010',
  source: 'file:///home/ada/requests.jsonl',
  fileBytes: 1,
  sha256: '',
  requestCount: 1,
  bodyBytes: 1,
  state: 'sending',
  startedAt: new Date().toISOString(),
};
await registry.begin(sending, () => false);
process.send?.('sending');
setInterval(() => undefined, 1000);
