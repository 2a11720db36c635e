import { setTimeout as sleep } from 'node:timers/promises';
import type { Submission, SubmissionRegistry } from '../../ledger';

type Registry = Pick<SubmissionRegistry, 'all' | 'reload' | 'update' | 'whileNoneBegins'>;

/** Maximum time to wait for a part that is being sent, in milliseconds. */
const longestWait = 20_000;
/** Interval between polls for changes of other windows, in milliseconds. */
const pollEvery = 250;

/** Returns whether the user canceled the sending of more parts. */
export function isStopWanted(submissions: readonly Submission[], groupId: string): boolean {
  return submissions.some(({ group, stopWanted }) => group?.id === groupId && stopWanted === true);
}

/**
 * Cancels the sending of more parts in all windows. Settles with the submissions once none is being sent, or after a timeout with one still
 * `sending`. Aborting `signal` throws but does not undo the cancellation. A sender checks for it before each part and before its last byte.
 */
export async function stopGroup(registry: Registry, groupId: string, signal?: AbortSignal): Promise<readonly Submission[]> {
  const partsNow = async () => {
    await registry.reload();
    return registry.all().filter(({ group }) => group?.id === groupId);
  };
  await registry.whileNoneBegins(async () => {
    for (const part of await partsNow()) {
      await registry.update(part.id, { stopWanted: true });
    }
  });
  const end = performance.now() + longestWait;
  for (;;) {
    const parts = await partsNow();
    if (!parts.some(({ state }) => state === 'sending') || performance.now() > end) {
      return parts;
    }
    await sleep(pollEvery, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** Allows the remaining parts to be sent again. */
export async function allowGroup(registry: Pick<Registry, 'all' | 'update'>, groupId: string): Promise<void> {
  for (const part of registry.all().filter(({ group, stopWanted }) => group?.id === groupId && stopWanted === true)) {
    await registry.update(part.id, { stopWanted: undefined });
  }
}
