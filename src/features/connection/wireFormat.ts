import type { QuickPickItem } from 'vscode';
import type { AuthForm } from '../../client/clientOptions';
import { type DialectName, dialects } from '../../client/dialect';
import type { Translate } from '../../common/text/translate';
import { authForms, dialectNames } from './connectionSettings';

/** Dialect of a service, and the header for the key. */
export interface WireFormat {
  readonly auth: AuthForm;
  readonly dialect: DialectName;
}

/** Lists all formats, starting with the proposed one. */
export function listFormats(proposed: WireFormat, t: Translate): readonly (QuickPickItem & { readonly value: WireFormat })[] {
  const others = dialectNames
    .flatMap(dialect => authForms.map((auth): WireFormat => ({ dialect, auth })))
    .filter(({ auth, dialect }) => auth !== proposed.auth || dialect !== proposed.dialect);
  return [proposed, ...others].map(({ auth, dialect }) => ({
    label: dialects[dialect].label,
    description: t('key sent as {0}', toAuthLabel(auth)),
    value: { auth, dialect },
  }));
}

/** Returns the label of a dialect, marked if it is a guess. */
export function toNamesLabel(
  { dialect, isDialectGuess }: { readonly dialect: DialectName; readonly isDialectGuess?: boolean },
  t: Translate,
): string {
  const { label } = dialects[dialect];
  return isDialectGuess === true ? t('{0} (assumed)', label) : label;
}

/** Returns the name of the header for the key. */
export function toAuthLabel(auth: AuthForm): string {
  return auth === 'bearer' ? 'Authorization: Bearer' : 'X-Api-Key';
}
