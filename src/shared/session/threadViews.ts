import { toNumber } from '../formats';
import { ownValue } from '../isRecord';
import type { Money } from './facts/tokens';
import type { Translate } from './translateText';

export interface ThreadView {
  readonly id: string;
  /** Name of the thread's agent, or 'Main'. */
  readonly name: string;
  readonly isPrimary: boolean;
  readonly status: string;
  readonly waiting: number;
  readonly archived: boolean;
  readonly cost?: Money;
}

/** Returns the state of a thread in words. An unknown state is shown as the service reports it. */
export function toThreadWord({ status, archived }: { readonly status: string; readonly archived: boolean }, t: Translate): string {
  const words = {
    running: t('Running'),
    idle: t('Idle'),
    rescheduling: t('Rescheduling'),
    terminated: t('Terminated'),
  };
  return archived ? t('Archived') : (ownValue(words, status) ?? status);
}

/** Returns how many asks wait for the user: `1 needs you`. */
export function toNeedWords(waiting: number, t: Translate, locale: string): string {
  return waiting === 1 ? t('1 needs you') : t('{0} need you', toNumber(waiting, locale));
}

/** Returns the names of the sub-agents' threads by id. Several threads of one agent are numbered. */
export function threadNames(
  threads: readonly { readonly id: string; readonly name: string; readonly isPrimary?: boolean }[],
): ReadonlyMap<string, string> {
  const alike = new Map<string, string[]>();
  for (const { id, name } of threads.filter(({ isPrimary }) => isPrimary !== true)) {
    alike.set(name || id, [...(alike.get(name || id) ?? []), id]);
  }
  return new Map(
    [...alike].flatMap(([name, ids]) => ids.map((id, index) => [id, ids.length === 1 ? name : `${name} ${index + 1}`] as const)),
  );
}
