import type { Submission, SubmissionRegistry } from '../../ledger';

type Registry = Pick<SubmissionRegistry, 'all' | 'reload' | 'update' | 'onDidChange' | 'whileNoneBegins'>;

/** Milliseconds that a part on its way is waited for: it ends before its last byte, or its answer comes. */
const longestWait = 20_000;
/** What another window writes is looked for this often. */
const lookEvery = 250;

/** Whether the user wants no more of a group to be sent. */
export function isStopWanted(submissions: readonly Submission[], groupId: string): boolean {
  return submissions.some(({ group, stopWanted }) => group?.id === groupId && stopWanted === true);
}

/**
 * Writes down that no more of a group is to be sent, by any window, and settles with its submissions when none is on its way any more, or
 * when one took too long: that one is still `sending` then. The wish stays written when `signal` ends the waiting, which throws. Whoever sends looks at this before each part and before its last byte.
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
    await nextChange(registry, signal);
    signal?.throwIfAborted();
  }
}

/** Takes the wish back: what is left of a group is to be sent after all. */
export async function allowGroup(registry: Pick<Registry, 'all' | 'update'>, groupId: string): Promise<void> {
  for (const part of registry.all().filter(({ group, stopWanted }) => group?.id === groupId && stopWanted === true)) {
    await registry.update(part.id, { stopWanted: undefined });
  }
}

function nextChange({ onDidChange }: Registry, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      listening.dispose();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, lookEvery);
    const listening = onDidChange(done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
