import type { Translate } from './translate';

/** Returns the sentence that views and messages show about services in an untrusted workspace. */
export function describeTrust(t: Translate): string {
  return t('Restricted Mode: sending is off until you trust this workspace.');
}
