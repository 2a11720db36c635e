// Runs in its own process. Updates, begins or hands out a submission. Kills or stops itself at the n-th disk operation, or reports the
// number of disk operations.
import { diskChanges, diskLooks, onDiskSteps } from '../../../helpers/diskSteps';
import { recordOf } from './ledgerOfTest';

const [folder = '', id = '', mode, at, signal = 'SIGKILL'] = process.argv.slice(2);
let step = 0;

function count(): void {
  step++;
  if (step === Number(at)) {
    process.kill(process.pid, signal);
  }
}

const { SubmissionRegistry } = await import('../../../../src/features/ledger/submissionRegistry');
const registry = new SubmissionRegistry({ folder, log: console });
await registry.load();

if (mode === 'update') {
  await onDiskSteps(diskChanges, count, count);
  await registry.update(id, { problem: 'new' });
  process.send?.(step, () => process.exit(0));
  await new Promise(() => undefined);
}
const sending = recordOf({ id, state: 'sending', startedAt: new Date().toISOString() });
if (mode === 'begin') {
  await onDiskSteps([...diskChanges, ...diskLooks], count, count);
}
const begun = await registry.begin(mode === 'hand out' ? { ...sending, handedOut: false } : sending, () =>
  registry.all().find(other => other.id !== id),
);
if (mode === 'hand out') {
  await onDiskSteps([...diskChanges, ...diskLooks], count, count);
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
