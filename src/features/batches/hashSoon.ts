import type { Disposable } from 'vscode';
import { combine } from '../../common/disposables';
import { Throttle } from '../../common/lists/throttle';
import type { BatchDependencies } from './batchDependencies';

/** Maximum time since the requests were sent, in milliseconds. Older submissions are hashed when they are compared. */
const newMs = 600_000;

/** Hashes the content of requests soon after they were sent, before the file is saved again. */
export function hashSoon({ registry, jobs, log, lifetime }: Pick<BatchDependencies, 'registry' | 'jobs' | 'log' | 'lifetime'>): Disposable {
  const hashed = new Set<string>();
  let running = Promise.resolve();
  const hashing = new Throttle(() => {
    running = running
      .then(async () => (await import('../ledger')).hashNewest({ registry, jobs, log }, lifetime))
      .catch(error => log.error('The sent requests could not be hashed', error));
  });
  return combine(
    hashing,
    registry.onDidChange(({ id, state, startedAt, handedOut, steps }) => {
      const step = `${id} ${state}`;
      const sent = steps?.findLast(({ what }) => what === 'handed_out' || what === 'created');
      const isNew = Date.now() - Date.parse(sent?.at ?? startedAt) < newMs;
      // Doesn't wait for the response, because finding the batch of a lost response can take hours, and the file may change meanwhile.
      if (isNew && (state === 'created' || handedOut === true) && !hashed.has(step)) {
        hashed.add(step);
        hashing.ask();
      }
    }),
  );
}
