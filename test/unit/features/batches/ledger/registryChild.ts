// Runs in a process of its own: writes one submission and kills or stops itself at the n-th step on the disk, and tells of how many
// there were; or keeps sending.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Submission } from '../../../../../src/features/batches/ledger/submission';

const [folder = '', id = '', mode, at, signal = 'SIGKILL'] = process.argv.slice(2);
let step = 0;

function count(): void {
  step++;
  if (step === Number(at)) {
    process.kill(process.pid, signal);
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

/** From here on every step on the disk counts: those that change something, and others. */
function beginCounting(others: readonly string[] = []): void {
  counting(handles, 'writeFile');
  counting(handles, 'sync');
  for (const name of ['open', 'rename', 'rm', ...others]) {
    counting(fs.promises as unknown as Record<string, Call>, name);
  }
  syncBuiltinESMExports();
}

if (mode === 'update') {
  beginCounting();
  await registry.update(id, { problem: 'new' });
  process.send?.(step, () => process.exit(0));
  await new Promise(() => undefined);
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
const looks = ['readdir', 'readFile', 'stat'];
if (mode === 'begin') {
  beginCounting(looks);
}
const begun = await registry.begin(mode === 'hand out' ? { ...sending, handedOut: false } : sending, () =>
  registry.all().find(other => other.id !== id),
);
if (mode === 'hand out') {
  beginCounting(looks);
}
if (mode === 'hand out' && 'release' in begun) {
  const isHandedOut = await registry.update(id, { handedOut: true }, { onlyIf: ({ state }) => state === 'sending' }).then(
    () => begun.isHeld(),
    () => false,
  );
  process.send?.({ word: isHandedOut ? 'sent' : 'not sent', steps: step });
} else {
  process.send?.({ word: 'conflict' in begun ? 'conflict' : 'sending', steps: step });
}
setInterval(() => undefined, 1000);
