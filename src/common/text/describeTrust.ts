import type { Translate } from './translate';

/** What is done with services in a workspace that is not trusted, in the one sentence that every view and message has for it. */
export function describeTrust(t: Translate): string {
  return t('Until you trust this workspace, a service is asked only for what you open, fetch or test.');
}
