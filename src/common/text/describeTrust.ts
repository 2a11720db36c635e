import type { Translate } from './translate';

/** Returns the sentence about services in an untrusted workspace that all views and messages share. */
export function describeTrust(t: Translate): string {
  return t('Restricted Mode: sending is off until you trust this workspace.');
}
