import type * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { Throttle } from '../../common/lists/throttle';
import type { BatchDependencies } from './batchDependencies';

/** Maximum age of a submission to hash, in milliseconds. Older submissions are hashed when they are compared. */
const newMs = 600_000;

/** Hashes the content of requests soon after they were sent, before the file is saved again. */
export function hashSoon({ registry, jobs, log, lifetime }: BatchDependencies): vscode.Disposable {
  const hashed = new Set<string>();
  let running = Promise.resolve();
  const hashing = new Throttle(() => {
    running = running
      .then(async () => (await import('../ledger')).hashNewest({ registry, jobs, log }, lifetime))
      .catch(error => log.error('The sent requests could not be hashed', error));
  });
  return combine(
    hashing,
    registry.onDidChange(({ id, state, startedAt, handedOut }) => {
      // Doesn't wait for the response: finding the batch of a lost response can take hours, and the file may change meanwhile.
      const step = `${id} ${state}`;
      const isNew = Date.now() - Date.parse(startedAt) < newMs;
      if (isNew && (state === 'created' || handedOut === true) && !hashed.has(step)) {
        hashed.add(step);
        hashing.ask();
      }
    }),
  );
}
