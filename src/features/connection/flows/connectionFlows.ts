import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { showInformation } from '../../../common/asking/notifications';
import type { AreaHandlers } from '../../../common/commands';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { choose } from '../connectionConfiguration';
import { otherHost, toStateWords } from '../connectionPresentation';
import { testConnection } from '../probing/testConnection';
import { AddConnection } from './addConnection';
import { editConnection } from './editConnection';
import { forgetConnection } from './forgetConnection';
import { setKey } from './setKey';
import { switchConnection } from './switchConnection';

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

  /** Returns the connection with the given name. Without one, returns the only connection or asks. If there is none, calls `orAdd`. */
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

/** Makes a new connection the current one. If this workspace has chosen another one, asks the user. */
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
  const useHere = t('Use Here');
  const message = t('This workspace uses the connection "{0}".', toLabel(name, 60));
  if ((await showInformation(message, useHere)) === useHere) {
    await choose(name, 'workspace');
  }
}
