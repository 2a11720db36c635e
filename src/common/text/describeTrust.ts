import type { Translate } from './translate';

/** Returns the sentence about services in an untrusted workspace that all views and messages share. */
export function describeTrust(t: Translate): string {
  return t('Until you trust this workspace, a service is asked only for what you open, fetch or test.');
}
