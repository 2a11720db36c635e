import * as vscode from 'vscode';
import { toOrigin } from '../../../client/transport/baseUrl';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { confirmModal } from '../../../common/asking/confirmChange';
import { offer, showInformation } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import type { AreaHandlers } from '../../../common/commands';
import { join, toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { type ChoiceTarget, choose, openConnectionSettings, readOwnChoice, removeConnection } from '../connectionConfiguration';
import { otherHost, toStateWords } from '../connectionStatusBarItem';
import { probeInPicker } from '../probing/probeInPicker';
import { testConnection } from '../probing/testConnection';
import { AddConnection } from './addConnection';
import { editConnection } from './editConnection';
import { askKey, askRemedy, storeKey } from './keyEntry';

/** Creates the handlers of the connection commands. Each handler asks for a connection if none is given. */
export function createConnectionFlows(context: ConnectionCommandContext): AreaHandlers<'connection'> {
  const t = vscode.l10n.t;
  const { store } = context;

  const add = async (): Promise<void> => {
    await store.refresh();
    const { name } = await new AddConnection(context).run();
    await useNew(context, name);
  };
  const edit = async (given?: string): Promise<void> => {
    const { name } = await pick(given, t('Edit Connection'), false, add);
    const wantsTest = await editConnection(context, name, enterKey);
    if (wantsTest) {
      await test(name);
    }
  };
  const enterKey = async (given?: string): Promise<void> => {
    const { current, state } = store.snapshot;
    await setKey(context, await pick(given ?? (state === 'noKey' ? current?.name : undefined), t('Set API Key'), false, add), edit);
  };
  const test = async (given?: string): Promise<void> => {
    const { name } = await pick(given, t('Test Connection'), true, add);
    await testConnection(context, name, edit);
  };
  const forget = async (given?: string): Promise<void> => {
    await forgetConnection(context, await pick(given, t('Forget Connection'), false, add));
  };

  /** Returns the connection with the given name. Without a name, returns the only connection or asks. Without any, calls `orAdd`. */
  async function pick(given: string | undefined, title: string, withEmulator: boolean, orAdd: () => Promise<void>): Promise<Connection> {
    await store.refresh();
    const found = typeof given === 'string' ? store.find(given) : undefined;
    if (found !== undefined) {
      return found;
    }
    const { connections, current, keys } = store.snapshot;
    const candidates = connections.filter(({ isEmulator }) => withEmulator || !isEmulator);
    const only = candidates.length === 1 ? candidates[0] : undefined;
    if (only !== undefined) {
      return only;
    }
    if (candidates.length === 0) {
      await orAdd();
      throw new vscode.CancellationError();
    }
    return askChoice<Connection>({
      title,
      placeholder: t('Select a connection'),
      choices: candidates.map(connection => ({
        label: `$(${connection.isEmulator ? 'vm' : 'plug'}) ${toLabel(connection.name)}`,
        description: toStateWords(connection, keys.get(connection.name), context.emulator.running !== undefined, t),
        detail: connection.isEmulator ? undefined : otherHost(connection),
        value: connection,
      })),
      active: current,
    });
  }

  return {
    'managedAgents.connection.add': add,
    'managedAgents.connection.switch': () => store.refresh().then(() => switchConnection(context, add)),
    'managedAgents.connection.edit': edit,
    'managedAgents.connection.setKey': enterKey,
    'managedAgents.connection.test': test,
    'managedAgents.connection.forget': forget,
  };
}

/** Makes a new connection the current one. If this workspace has chosen another connection, asks the user. */
async function useNew({ store }: ConnectionCommandContext, name: string): Promise<void> {
  const t = vscode.l10n.t;
  await choose(name, 'user');
  await store.refresh();
  const { chosen, reason } = store.snapshot;
  if (chosen.name === name) {
    const message =
      reason === undefined
        ? t('The connection "{0}" is ready.', toLabel(name, 60))
        : t('The connection "{0}" is saved. {1}', toLabel(name, 60), reason);
    void showInformation(message);
    return;
  }
  const message = t('This workspace uses the connection "{0}".', toLabel(name, 60));
  await offer(showInformation, message, [t('Use Here'), () => choose(name, 'workspace')]);
}

/**
 * Deletes a connection's settings and key after a confirmation. If the user had chosen the connection, deletes the choice too. Changes
 * nothing on the service.
 */
async function forgetConnection({ keys, store }: ConnectionCommandContext, { name }: Connection): Promise<void> {
  const t = vscode.l10n.t;
  const detail = t('Removes its settings and API key. Nothing changes on the service.');
  await confirmModal(t('Forget the connection "{0}"?', toLabel(name, 60)), detail, t('Forget'));
  // Deletes the key first, so that a failure to write the setting leaves no key of a seemingly deleted connection.
  await keys.forget(name);
  await removeConnection(name);
  if (readOwnChoice('user') === name) {
    await choose(undefined, 'user');
  }
  if (vscode.workspace.isTrusted && readOwnChoice('workspace') === name) {
    await choose(undefined, 'workspace');
  }
  await store.refresh();
}

/** Asks for the key of a connection, tries it, and stores it for the connection's origin. */
async function setKey(
  context: ConnectionCommandContext,
  connection: Connection,
  changeAddress: (name: string) => Promise<void>,
): Promise<void> {
  const { name, baseUrl, allowInsecureHttp } = connection;
  const origin = toOrigin(baseUrl);
  const title = vscode.l10n.t('API key for {0}', toLabel(name, 60));
  for (;;) {
    const key = await askKey({ title, origin });
    const answer = await tryKey(context, { baseUrl, key, allowInsecureHttp }, title);
    if (answer === 'address') {
      return changeAddress(name);
    }
    if (answer === 'save') {
      await storeKey(context.keys, name, { key, origin }, context.log);
      await context.store.refresh();
      return;
    }
  }
}

/** Tries a key until it works or the user chooses another remedy. */
async function tryKey(
  context: ConnectionCommandContext,
  target: { readonly baseUrl: string; readonly key: string; readonly allowInsecureHttp: boolean },
  title: string,
): Promise<'save' | 'key' | 'address'> {
  for (;;) {
    const { problem } = await probeInPicker(context, target);
    if (problem === undefined) {
      return 'save';
    }
    const answer = await askRemedy({ title }, problem, target.baseUrl);
    if (answer !== 'again') {
      return answer;
    }
  }
}

type Act = 'add' | 'repair' | 'forWorkspace' | 'forUser' | 'likeEverywhere';

/** Asks which connection to use, and whether in every window or only in this workspace. Saves the choice. */
async function switchConnection(context: ConnectionCommandContext, add: () => Promise<void>): Promise<void> {
  const { store } = context;
  let target: ChoiceTarget = store.snapshot.chosen.by;
  for (;;) {
    const answer = await askChoice<Connection | Act>({
      title: vscode.l10n.t('Switch Connection'),
      placeholder:
        target === 'workspace' ? vscode.l10n.t('Connection for this workspace only') : vscode.l10n.t('Connection for all windows'),
      choices: toChoices(context, target),
      active: store.snapshot.current,
    });
    switch (answer) {
      case 'add':
        return add();
      case 'repair':
        await openConnectionSettings();
        // The user cancelled instead of choosing.
        throw new CancelledError();
      case 'forWorkspace':
        target = 'workspace';
        break;
      case 'forUser':
        target = 'user';
        break;
      case 'likeEverywhere':
        await choose(undefined, 'workspace');
        return;
      default:
        await choose(answer.name, target);
        await store.refresh();
        if (answer.isEmulator) {
          await context.emulator.start();
        }
        return;
    }
  }
}

function toChoices({ store, emulator }: ConnectionCommandContext, target: ChoiceTarget): readonly Choice<Connection | Act>[] {
  const t = vscode.l10n.t;
  const { connections, current, keys, problems, chosen } = store.snapshot;
  const choices: Choice<Connection | Act>[] = connections.map(connection => {
    const words = toStateWords(connection, keys.get(connection.name), emulator.running !== undefined, t);
    const icon = connection.isEmulator ? 'vm' : words === '' ? 'plug' : 'warning';
    return {
      label: `$(${icon}) ${toLabel(connection.name)}`,
      description: join(', ', connection === current ? t('current') : '', words),
      detail: connection.isEmulator ? t('Runs on this machine, needs no key, costs nothing') : otherHost(connection),
      value: connection,
    };
  });
  const unusable = problems.filter(({ isFatal }) => isFatal);
  choices.push(
    ...unusable.map(
      ({ name, message }): Choice<Act> => ({
        label: `$(error) ${toLabel(name ?? 'managedAgents.connections')}`,
        description: t("can't be used, see settings"),
        detail: message,
        value: 'repair',
      }),
    ),
    separator(''),
    { label: `$(add) ${t('Add Connection...')}`, value: 'add' },
  );
  // The choice of a workspace counts only if the workspace is trusted. It can be saved only if the workspace has a folder.
  if (vscode.workspace.isTrusted && vscode.workspace.workspaceFolders !== undefined) {
    choices.push(
      target === 'user'
        ? { label: `$(folder) ${t('Select for This Workspace Only...')}`, value: 'forWorkspace' }
        : { label: `$(globe) ${t('Select for All Windows...')}`, value: 'forUser' },
    );
    if (chosen.by === 'workspace') {
      choices.push({ label: `$(discard) ${t('Use Connection for All Windows')}`, value: 'likeEverywhere' });
    }
  }
  return choices;
}
