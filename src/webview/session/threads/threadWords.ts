import type { ThreadView } from '../../../shared/session/threadViews';
import type { Translate } from '../../../shared/session/translateText';

/** The state of a thread in words; one that is not known as the service says it. */
export function toThreadWord({ status, archived }: { readonly status: string; readonly archived: boolean }, t: Translate): string {
  if (archived) {
    return t('Archived');
  }
  switch (status) {
    case 'running':
      return t('Running');
    case 'idle':
      return t('Idle');
    case 'rescheduling':
      return t('Rescheduling');
    case 'terminated':
      return t('Terminated');
    default:
      return status;
  }
}

/** Names of the threads of sub-agents by their ids: several of one agent are counted in their order. */
export function threadNames(threads: readonly Pick<ThreadView, 'id' | 'name' | 'isPrimary'>[]): ReadonlyMap<string, string> {
  const alike = new Map<string, string[]>();
  for (const { id, name } of threads.filter(({ isPrimary }) => !isPrimary)) {
    alike.set(name || id, [...(alike.get(name || id) ?? []), id]);
  }
  return new Map(
    [...alike].flatMap(([name, ids]) => ids.map((id, index) => [id, ids.length === 1 ? name : `${name} ${index + 1}`] as const)),
  );
}
