import type { ServiceHealth } from '../../client/transport/errors';
import { hostOf } from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import { toLabel } from '../../shared/text';
import type { Connection } from './connection';
import type { ConnectionsSnapshot } from './connectionStore';
import type { KeyStatus } from './keyStore';
import { toAuthLabel, toNamesLabel } from './wireFormat';

/** Status bar text for the current connection. */
export interface StatusBarText {
  readonly text: string;
  /** Accessible text, without icons. */
  readonly spoken: string;
  /** Lines of the tooltip, as label and value. Values are shown as plain text. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** Sentence above the rows: the problem and how to fix it. */
  readonly sentence: string | undefined;
}

/**
 * Returns the text of the status bar, or `undefined` if no connection was ever set up. `health` is the state of the current connection's
 * service.
 */
export function toStatusBarText(
  snapshot: ConnectionsSnapshot,
  emulatorIsStarting: boolean,
  health: ServiceHealth,
  t: Translate,
): StatusBarText | undefined {
  const { current, state, reason, chosen } = snapshot;
  if (current === undefined) {
    const hasAny = chosen.name !== '' || snapshot.problems.length > 0 || snapshot.connections.some(({ isEmulator }) => !isEmulator);
    if (!hasAny) {
      return undefined;
    }
    const sentence = reason ?? t('No connection is selected.');
    return { text: `$(debug-disconnect) ${t('No connection')}`, spoken: sentence, rows: [], sentence };
  }
  const name = toLabel(current.name, 40);
  const ignored = snapshot.problems.filter(problem => problem.name === current.name).map(({ message }) => message);
  const rows = [
    ...toRows(current, snapshot.keys.get(current.name), t),
    ...ignored.map((message): [string, string] => [t('Settings'), message]),
  ];
  if (current.isEmulator) {
    if (state !== 'ready') {
      const spoken = t('{0}: stopped', name);
      return {
        text: `$(vm-outline) ${t('{0}: stopped', name)}`,
        spoken,
        rows: [],
        sentence: t('The emulator starts when you use it.'),
      };
    }
    const sentence = t('The emulator runs on this machine.');
    return emulatorIsStarting
      ? { text: `$(loading~spin) ${name}`, spoken: t('Managed Agents: {0}, starting', name), rows: [], sentence }
      : { text: `$(vm-running) ${name}`, spoken: t('Managed Agents: {0}, running', name), rows, sentence };
  }
  switch (state) {
    case 'noKey':
      return { text: `$(warning) ${t('{0}: no key', name)}`, spoken: t('{0}: no key', name), rows, sentence: reason };
    case 'untrusted':
      return { text: `$(shield) ${t('{0}: not trusted yet', name)}`, spoken: t('{0}: not trusted yet', name), rows, sentence: reason };
    default:
      if (health !== 'answers') {
        return { ...toHealthText(health, current, t), rows };
      }
      return {
        text: `$(plug) ${name}`,
        spoken: t('Managed Agents: {0}', [name, otherHost(current) ?? []].flat().join(', ')),
        rows,
        sentence: undefined,
      };
  }
}

/** Describes a service that does not respond, in the same words as in the views. */
function toHealthText(health: 'keyRefused' | 'unreachable', { name, baseUrl }: Connection, t: Translate): Omit<StatusBarText, 'rows'> {
  const label = toLabel(name, 40);
  return health === 'keyRefused'
    ? {
        text: `$(warning) ${t('{0}: key rejected', label)}`,
        spoken: t('{0}: key rejected', label),
        sentence: t('The service rejected the API key.'),
      }
    : {
        text: `$(debug-disconnect) ${t('{0}: unreachable', label)}`,
        spoken: t('{0}: unreachable', label),
        sentence: t("{0} couldn't be reached.", hostOf({ baseUrl })),
      };
}

function toRows(connection: Connection, key: KeyStatus | undefined, t: Translate): StatusBarText['rows'] {
  const rows: [string, string][] = [
    [t('Host'), hostOf(connection)],
    [t('Names'), toNamesLabel(connection, t)],
    [t('Key sent as'), toAuthLabel(connection.auth)],
  ];
  if (key?.kind === 'usable' && key.onlyThisWindow) {
    rows.push([t('Key unchanged'), t('until this window closes')]);
  }
  return rows;
}

/** Describes the state of a connection in a word or two, for a list. Empty if it has no problem. */
export function toStateWords(connection: Connection, key: KeyStatus | undefined, emulatorRuns: boolean, t: Translate): string {
  if (connection.isEmulator) {
    return emulatorRuns ? t('running') : t('starts when selected');
  }
  switch (key?.kind) {
    case 'usable':
      return key.onlyThisWindow ? t('key only for this window') : '';
    case 'otherOrigin':
      return t('key for another address');
    case 'unreadable':
      return t("key can't be read");
    default:
      return t('no key');
  }
}

/** Returns the host of a connection, or `undefined` if that is its name. */
export function otherHost({ name, baseUrl }: Connection): string | undefined {
  const host = hostOf({ baseUrl });
  return host === name ? undefined : host;
}
