import { atMost } from '../../../common/atMost';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';

/** Result of an act on several sessions. */
export interface BulkResult {
  readonly done: number;
  /** Number of sessions that were not reached, because the user cancelled. */
  readonly left: number;
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

/** Maximum number of changing requests at once. */
const atOnce = 3;

/** Runs an act on each item, once, even if others fail. */
export async function runBulk<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  of: {
    readonly signal: AbortSignal;
    readonly nameOf: (item: T) => string;
    readonly describe: (error: unknown) => string;
    readonly onDone: (count: number) => void;
  },
): Promise<BulkResult> {
  const failures: { name: string; reason: string }[] = [];
  let done = 0;
  await atMost(atOnce, items, of.signal, async item => {
    try {
      await act(item);
      done++;
    } catch (error) {
      // An act that the user cancelled counts as failed, with its error as the reason.
      failures.push({ name: of.nameOf(item), reason: of.describe(error) });
    }
    of.onDone(done + failures.length);
  });
  return { done, left: items.length - done - failures.length, failures };
}

/** Lists names for a question: some of them, and the number of others. */
export function listNames(names: readonly string[], translate: Translate): string {
  const shown = names.slice(0, maxNames);
  const others = names.length - shown.length;
  return [...shown.map(name => `• ${name}`), ...(others === 0 ? [] : [translate('and {0} more', others)])].join('\n');
}

/** Describes a result: how many succeeded, which failed and why, how many were not reached. `done` formats the first number. */
export function describeBulk(result: BulkResult, done: (count: number) => string, translate: Translate): string {
  const { failures, left } = result;
  const named = failures.slice(0, maxNames).map(({ name, reason }) => translate('"{0}": {1}', name, reason));
  const others = failures.length - named.length;
  return join(
    ' ',
    done(result.done),
    failures.length === 0 ? '' : translate('Failed: {0}. {1}', failures.length, named.join(' ')),
    others === 0 ? '' : translate('and {0} more', others),
    left === 0 ? '' : translate('Not done: {0}.', left),
  );
}

const maxNames = 8;
