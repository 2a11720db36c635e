import * as vscode from 'vscode';
import type { ResourceGroup } from '../../client/dialect';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import { showUntrusted } from '../../common/asking/untrusted';
import { CancelledError } from '../../common/cancellation';
import { demandCommand } from '../../common/commands';
import { settlesWithin } from '../../common/settlesWithin';
import { describeTrust } from '../../common/text/describeTrust';
import { toLabel } from '../../shared/text';
import type { Connection, ConnectionState, Connections } from './connection';
import { mayUse } from './reach';

/** Time to wait for a newly added connection to appear, in milliseconds. */
const patience = 4_000;

/** Texts to show if the user has no usable connection. */
interface ReadyTexts {
  readonly question: string;
  /** Message that nothing was sent because the workspace is untrusted. */
  readonly untrusted: string;
}

function plainTexts(): ReadyTexts {
  return { question: vscode.l10n.t('Select a connection'), untrusted: describeTrust(vscode.l10n.t) };
}

/**
 * Returns the connection of this window. Lets the user add a missing connection or key. Throws a `CancelledError` if the user cancels or
 * the workspace is not trusted. In an untrusted workspace, shows a message first.
 */
export async function readyConnection(connections: Connections, texts: ReadyTexts = plainTexts()): Promise<Connection> {
  await connections.whenKnown;
  const state = () => connections.state;
  if (!mayUse('change') || state() === 'untrusted') {
    void showUntrusted(texts.untrusted);
    throw new CancelledError();
  }
  if (state() === 'none') {
    await chooseConnection(connections, texts.question);
  }
  if (state() === 'noKey') {
    await demandCommand('managedAgents.connection.setKey', connections.current?.name);
    await changesTo(connections, ['ready']);
  }
  const { current } = connections;
  if (state() !== 'ready' || current === undefined) {
    throw new CancelledError();
  }
  return current;
}

/**
 * Like `readyConnection`, for creating a resource in the group that the interface calls `title`. Throws a `NothingToDoError` if the service
 * is known not to have the group.
 */
export async function connectionToCreate(connections: Connections, group: ResourceGroup, title: string): Promise<Connection> {
  const connection = await readyConnection(connections);
  if (connections.served.has(connection, group) === false) {
    throw new NothingToDoError(vscode.l10n.t('{0}: not supported by {1}.', title, toLabel(connection.name, 80)));
  }
  return connection;
}

async function chooseConnection(connections: Connections, question: string): Promise<void> {
  const emulator = {
    label: `$(vm-running) ${vscode.l10n.t('Use Built-in Emulator')}`,
    detail: vscode.l10n.t('Runs on this machine, needs no key, costs nothing'),
  };
  const add = { label: `$(add) ${vscode.l10n.t('Add Connection...')}`, detail: vscode.l10n.t('Address and API key of your service') };
  const others = { label: `$(plug) ${vscode.l10n.t('Use Existing Connection...')}`, detail: undefined };
  const hasOthers = connections.all().some(connection => !connection.isEmulator);
  // The question closes when a connection becomes ready, for example once the emulator has started.
  const answered = new vscode.CancellationTokenSource();
  const subscription = connections.onDidChange(() => connections.state === 'ready' && answered.cancel());
  const choices = hasOthers ? [others, add, emulator] : [emulator, add];
  const placeHolder = [connections.reason, question].filter(Boolean).join(' ');
  const chosen = await vscode.window.showQuickPick(choices, { placeHolder }, answered.token);
  subscription.dispose();
  if (chosen === undefined && connections.state === 'ready') {
    return;
  }
  switch (chosen) {
    case emulator:
      await demandCommand('managedAgents.emulator.start');
      break;
    case add:
      await demandCommand('managedAgents.connection.add');
      break;
    case others:
      await demandCommand('managedAgents.connection.switch');
      break;
    default:
      throw new CancelledError();
  }
  await changesTo(connections, ['ready', 'noKey']);
}

/** Resolves when the connection is in one of `states`. Gives up after four seconds, because the chosen connection may be incomplete. */
async function changesTo(connections: Connections, states: readonly ConnectionState[]): Promise<void> {
  if (states.includes(connections.state)) {
    return;
  }
  let subscription: vscode.Disposable | undefined;
  const changed = new Promise<void>(resolve => {
    subscription = connections.onDidChange(() => states.includes(connections.state) && resolve());
  });
  await settlesWithin(changed, patience);
  subscription?.dispose();
}
