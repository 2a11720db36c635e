import type { Translate } from '../../../common/text/translate';
import type { Act } from '../resourceKind';

/** Creates the act that archives a resource. `detail` says what that means. */
export function archiving(detail: (translate: Translate) => string, run: Act['run'], more: Pick<Act, 'tellsUses'> = {}): Act {
  const confirm: Act['confirm'] = (name, translate) => ({
    title: translate('Archive "{0}"?', name),
    detail: detail(translate),
    button: translate('Archive'),
  });
  return { confirm, run, ...more };
}

/** Creates the act that deletes a resource. `detail` says what that means. */
export function deleting(detail: (translate: Translate) => string, run: Act['run'], more: Omit<Act, 'confirm' | 'run'> = {}): Act {
  const confirm: Act['confirm'] = (name, translate) => ({
    title: translate('Delete "{0}"?', name),
    detail: detail(translate),
    button: translate('Delete'),
  });
  return { confirm, run, ...more };
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
