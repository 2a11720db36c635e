import type { IgnoredField } from '../../client/ignoredFields';
import { toLabel } from '../../shared/text';
import type { Translate } from './translate';

/** Describes the fields that the service did not save, a missing spending limit first. `name` is the created or changed resource. */
export function describeIgnored(name: string, ignored: readonly IgnoredField[], t: Translate): string {
  const fields = ignored.map(({ path, stored }) => {
    const isShort = typeof stored === 'string' || typeof stored === 'number' || typeof stored === 'boolean';
    return isShort ? t('{0} (the service has {1})', toLabel(path, 60), toLabel(String(stored), 60)) : toLabel(path, 60);
  });
  const sentence = t('The service ignored some fields of {0}: {1}.', name, fields.join(', '));
  return ignored.some(({ isMoney }) => isMoney)
    ? t('The service ignored the budget of {0}, so its cost is unlimited. {1}', name, sentence)
    : sentence;
}
