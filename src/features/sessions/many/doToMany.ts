import { atMost } from '../../../common/atMost';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';

/** What came of one act on several sessions. */
export interface DoneToMany {
  readonly done: number;
  /** Those that were not reached, because the user cancelled. */
  readonly left: number;
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

/** Requests that change something, at once. */
const atOnce = 3;

/** Does something to each, each once, whatever becomes of the others. */
export async function doToMany<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  of: {
    readonly signal: AbortSignal;
    readonly nameOf: (item: T) => string;
    readonly describe: (error: unknown) => string;
    readonly onDone: (count: number) => void;
  },
): Promise<DoneToMany> {
  const failures: { name: string; reason: string }[] = [];
  let done = 0;
  await atMost(atOnce, items, of.signal, async item => {
    try {
      await act(item);
      done++;
    } catch (error) {
      // What was under way when the user cancelled counts as not done, and is told as what it is.
      failures.push({ name: of.nameOf(item), reason: of.describe(error) });
    }
    of.onDone(done + failures.length);
  });
  return { done, left: items.length - done - failures.length, failures };
}

/** Names of sessions for a question: some of them, and how many others there are. */
export function listNames(names: readonly string[], translate: Translate): string {
  const shown = names.slice(0, mostNames);
  const others = names.length - shown.length;
  return [...shown.map(name => `• ${name}`), ...(others === 0 ? [] : [translate('and {0} more', others)])].join('\n');
}

/** The result in a few sentences: how many, which failed and why, how many were not reached. `done` says it of a number. */
export function describeMany(result: DoneToMany, done: (count: number) => string, translate: Translate): string {
  const { failures, left } = result;
  const named = failures.slice(0, mostNames).map(({ name, reason }) => translate('"{0}": {1}', name, reason));
  const others = failures.length - named.length;
  return join(
    ' ',
    done(result.done),
    failures.length === 0 ? '' : translate('Failed: {0}. {1}', failures.length, named.join(' ')),
    others === 0 ? '' : translate('and {0} more', others),
    left === 0 ? '' : translate('Not reached: {0}.', left),
  );
}

const mostNames = 8;
