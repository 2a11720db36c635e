import type * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import type { BatchDependencies } from './batchDependencies';

/** Delays in milliseconds. A new window is busy, so its delay is long. A new submission is hashed before the file is saved again. */
const delayMs = { old: 10_000, new: 500 };
const newMs = 600_000;

/** Hashes the content of sent requests in the background: soon after they were sent, or after the next start of VS Code. */
export function hashSoon({ registry, jobs, log, lifetime }: BatchDependencies): vscode.Disposable {
  const hashed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const hash = async () => {
    timer = undefined;
    const { hashNewest } = await import('../ledger');
    await hashNewest({ registry, jobs, log }, lifetime);
  };
  return combine(
    registry.onDidChange(({ id, state, startedAt, handedOut }) => {
      // Doesn't wait for the response: the batch of a lost response can take hours to find, and the file may change until then.
      const step = `${id} ${state}`;
      if ((state === 'created' || handedOut === true) && !hashed.has(step)) {
        hashed.add(step);
        const isNew = Date.now() - Date.parse(startedAt) < newMs;
        if (isNew) {
          clearTimeout(timer);
          timer = undefined;
        }
        timer ??= setTimeout(
          () => {
            running = running.then(hash).catch(error => log.error('The sent requests could not be hashed', error));
          },
          isNew ? delayMs.new : delayMs.old,
        ).unref();
      }
    }),
    { dispose: () => clearTimeout(timer) },
  );
}
