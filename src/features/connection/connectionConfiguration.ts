import * as vscode from 'vscode';
import { offer, showFailure } from '../../common/asking/notifications';
import { CancelledError } from '../../common/cancellation';
import type { Settings } from '../../contributions';
import { isRecord } from '../../shared/isRecord';
import type { Connection } from './connection';
import { toSetting } from './connectionSettings';
import type { ChosenConnection } from './connectionStore';

const connectionsKey = 'managedAgents.connections' satisfies keyof Settings;
const chosenKey = 'managedAgents.connection' satisfies keyof Settings;

/** Scope of the settings in which the chosen connection is stored. */
export type ChoiceTarget = 'user' | 'workspace';

/** Returns the unparsed user value of `managedAgents.connections`. Workspace values are ignored. */
export function readConnections(): unknown {
  return vscode.workspace.getConfiguration().inspect<unknown>(connectionsKey)?.globalValue;
}

/** Returns the name of the chosen connection. The choice of a trusted workspace takes precedence over the user's choice. */
export function readChosen(): ChosenConnection {
  const found = vscode.workspace.getConfiguration().inspect<unknown>(chosenKey);
  const byWorkspace = vscode.workspace.isTrusted ? (found?.workspaceFolderValue ?? found?.workspaceValue) : undefined;
  if (typeof byWorkspace === 'string' && byWorkspace !== '') {
    return { name: byWorkspace, by: 'workspace' };
  }
  return { name: typeof found?.globalValue === 'string' ? found.globalValue : '', by: 'user' };
}

/** Returns the name of the connection chosen in the user's or the workspace's settings, if any. */
export function readOwnChoice(target: ChoiceTarget): string | undefined {
  const found = vscode.workspace.getConfiguration().inspect<string>(chosenKey);
  return target === 'workspace' ? found?.workspaceValue : found?.globalValue;
}

/** Saves one connection. All other entries stay unchanged, even invalid entries. */
export async function saveConnection(connection: Connection): Promise<void> {
  await writeConnections(entries => [...entries.filter(([name]) => name !== connection.name), [connection.name, toSetting(connection)]]);
}

/** Replaces one connection without changing the order. */
export async function replaceConnection(connection: Connection): Promise<void> {
  await writeConnections(entries =>
    entries.map(([name, entry]) =>
      name === connection.name ? [name, { ...(isRecord(entry) ? entry : {}), ...cleared, ...toSetting(connection) }] : [name, entry],
    ),
  );
}

export async function removeConnection(name: string): Promise<void> {
  await writeConnections(entries => entries.filter(([other]) => other !== name));
}

/** Saves the name of the chosen connection. `undefined` removes it. */
export async function choose(name: string | undefined, target: ChoiceTarget): Promise<void> {
  const where = target === 'workspace' ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(chosenKey, name, where);
}

/** Opens the user's settings file at the setting for connections. */
export async function openConnectionSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: connectionsKey } });
}

/** Optional fields of an entry, set to undefined. VS Code then removes the fields that `toSetting` omits. */
const cleared = { isDialectGuess: undefined, betas: undefined, maxRequests: undefined, maxBytes: undefined, allowInsecureHttp: undefined };

type Entries = readonly (readonly [name: string, entry: unknown])[];

async function writeConnections(change: (entries: Entries) => Entries): Promise<void> {
  const value = readConnections();
  if (value !== undefined && !isRecord(value)) {
    const message = vscode.l10n.t('Fix the setting managedAgents.connections: expected an object of connections by name.');
    await offer(showFailure, message, [vscode.l10n.t('Open Settings'), openConnectionSettings]);
    throw new CancelledError();
  }
  const changed = change(Object.entries(value ?? {}));
  await vscode.workspace
    .getConfiguration()
    .update(connectionsKey, changed.length === 0 ? undefined : Object.fromEntries(changed), vscode.ConfigurationTarget.Global);
}
