import { ownValue } from '../../../shared/isRecord';
import type { ThreadView } from '../../../shared/session/threadViews';
import type { Translate } from '../../../shared/session/translateText';

/** Returns the state of a thread in words. An unknown state is shown as the service reports it. */
export function toThreadWord({ status, archived }: { readonly status: string; readonly archived: boolean }, t: Translate): string {
  if (archived) {
    return t('Archived');
  }
  const words = {
    running: t('Running'),
    idle: t('Idle'),
    rescheduling: t('Rescheduling'),
    terminated: t('Terminated'),
  };
  return ownValue(words, status) ?? status;
}

/** Returns the names of the sub-agents' threads by id. Several threads of one agent are numbered. */
export function threadNames(threads: readonly Pick<ThreadView, 'id' | 'name' | 'isPrimary'>[]): ReadonlyMap<string, string> {
  const alike = new Map<string, string[]>();
  for (const { id, name } of threads.filter(({ isPrimary }) => !isPrimary)) {
    alike.set(name || id, [...(alike.get(name || id) ?? []), id]);
  }
  return new Map(
    [...alike].flatMap(([name, ids]) => ids.map((id, index) => [id, ids.length === 1 ? name : `${name} ${index + 1}`] as const)),
  );
}
