import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import type { Act } from '../resourceKind';

/** Creates the act that archives a resource. `detail` says what that means. */
export function archiving(detail: (translate: Translate) => string): Act {
  return {
    confirm: (name, translate) => ({
      title: translate('Archive "{0}"?', name),
      detail: detail(translate),
      button: translate('Archive'),
    }),
  };
}

/** Creates the act that deletes a resource. `detail` says what that means. */
export function deleting(detail: (translate: Translate) => string, more: Omit<Act, 'confirm'> = {}): Act {
  return {
    confirm: (name, translate) => ({
      title: translate('Delete "{0}"?', name),
      detail: detail(translate),
      button: translate('Delete'),
    }),
    ...more,
  };
}

/** Returns the icon, color and state of a row, which differ for an archived resource. */
export function rowStateOf(
  { archived_at: time }: { readonly archived_at?: string | null | undefined },
  icon: string,
  translate: Translate,
) {
  return typeof time === 'string'
    ? { isArchived: true, icon: 'archive', color: 'disabledForeground', state: translate('archived') }
    : { isArchived: false, icon, color: undefined, state: '' };
}

/** Returns the label of a value that the service sent. An unknown value is returned as it is, cut at `most` characters. */
export function wordOf(words: Readonly<Record<string, string>>, value: string | null | undefined, most = 40): string {
  const key = value ?? '';
  return (Object.hasOwn(words, key) ? words[key] : undefined) ?? toLabel(key, most);
}
