import * as vscode from 'vscode';
import type { ServiceHealth } from '../../client/transport/errors';
import { hostOf } from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import type { CommandId } from '../../contributions';
import { toLabel } from '../../shared/text';
import type { Connection } from './connection';
import { toAuthLabel, toNamesLabel } from './connectionSettings';
import type { ConnectionsSnapshot } from './connectionStore';
import type { KeyStatus } from './keyStore';

/** Status bar item with the name and state of the current connection. A click switches connections. */
export class ConnectionStatusBarItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private known: { readonly snapshot: ConnectionsSnapshot; readonly emulatorIsStarting: boolean } | undefined;
  private health: ServiceHealth = 'answers';

  constructor() {
    this.item = vscode.window.createStatusBarItem('managedAgents.connection', vscode.StatusBarAlignment.Left, 40);
    this.item.name = vscode.l10n.t('Managed Agents Connection');
    this.item.command = 'managedAgents.connection.switch' satisfies CommandId;
  }

  /** Shows the current connection, or hides the item if there is none. For a new connection or key, the service counts as responding. */
  update(snapshot: ConnectionsSnapshot, emulatorIsStarting: boolean): void {
    if (snapshot.access !== this.known?.snapshot.access) {
      this.health = 'answers';
    }
    this.known = { snapshot, emulatorIsStarting };
    this.show();
  }

  /** Shows the state of the service after a call, if the connection is the current one. */
  note({ name }: Connection, health: ServiceHealth): void {
    if (name === this.known?.snapshot.current?.name && health !== this.health) {
      this.health = health;
      this.show();
    }
  }

  private show(): void {
    const shown = this.known && toStatusBarText(this.known.snapshot, this.known.emulatorIsStarting, this.health, vscode.l10n.t);
    if (shown === undefined) {
      this.item.hide();
      return;
    }
    this.item.text = shown.text;
    this.item.accessibilityInformation = { label: shown.spoken, role: 'button' };
    this.item.tooltip = toTooltip(shown);
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function toTooltip({ sentence, rows }: StatusBarText): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.appendMarkdown(`**${vscode.l10n.t('Managed Agents')}**\n\n`);
  if (sentence !== undefined) {
    tooltip.appendText(sentence);
    tooltip.appendMarkdown('\n\n');
  }
  for (const [label, value] of rows) {
    tooltip.appendText(`${label}: `);
    // Formatted as code, so that no part of a value becomes a link or an image.
    tooltip.appendMarkdown(`\`${value.replaceAll('`', "'")}\`  \n`);
  }
  tooltip.appendMarkdown('\n');
  tooltip.appendText(vscode.l10n.t('Click to switch'));
  return tooltip;
}

/** Status bar text for the current connection. */
interface StatusBarText {
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
  const shown = (icon: string, label: string, sentence: string | undefined, spoken = label) => {
    return { text: `$(${icon}) ${label}`, spoken, rows, sentence };
  };
  if (current.isEmulator) {
    if (state !== 'ready') {
      return { ...shown('vm-outline', t('{0}: stopped', name), t('The emulator starts when you use it.')), rows: [] };
    }
    const sentence = t('The emulator runs on this machine.');
    return emulatorIsStarting
      ? { ...shown('loading~spin', name, sentence, t('Managed Agents: {0}, starting', name)), rows: [] }
      : shown('vm-running', name, sentence, t('Managed Agents: {0}, running', name));
  }
  if (state === 'noKey') {
    return shown('warning', t('{0}: no key', name), reason);
  }
  if (state === 'untrusted') {
    return shown('shield', t('{0}: not trusted yet', name), reason);
  }
  switch (health) {
    case 'keyRefused':
      return shown('warning', t('{0}: key rejected', name), t('The service rejected the API key.'));
    case 'unreachable':
      return shown('debug-disconnect', t('{0}: unreachable', name), t("{0} couldn't be reached.", hostOf(current)));
    default:
      return shown('plug', name, undefined, t('Managed Agents: {0}', [name, otherHost(current) ?? []].flat().join(', ')));
  }
}

function toRows(connection: Connection, key: KeyStatus | undefined, t: Translate): StatusBarText['rows'] {
  const rows: [string, string][] = [
    [t('Host'), hostOf(connection)],
    [t('API names'), toNamesLabel(connection, t)],
    [t('API key header'), toAuthLabel(connection.auth)],
  ];
  if (key?.kind === 'usable' && key.onlyThisWindow) {
    rows.push([t('Key unchanged'), t('until this window closes')]);
  }
  return rows;
}

/** Describes the state of a connection in a word or two, for a list. Empty if the connection has no problem. */
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

/** Returns the host of a connection, or `undefined` if the connection has the name of its host. */
export function otherHost({ name, baseUrl }: Connection): string | undefined {
  const host = hostOf({ baseUrl });
  return host === name ? undefined : host;
}
