import type { Translate } from '../panelContext';

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
