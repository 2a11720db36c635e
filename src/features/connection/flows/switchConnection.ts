import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { CancelledError } from '../../../common/cancellation';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { type ChoiceTarget, choose, openConnectionSettings } from '../connectionConfiguration';
import { otherHost, toStateWords } from '../connectionStatusBarItem';

type Act = 'add' | 'repair' | 'forWorkspace' | 'forUser' | 'likeEverywhere';

/** Asks which connection to use, and whether in every window or only in this workspace. Saves the choice. */
export async function switchConnection(context: ConnectionCommandContext, add: () => Promise<void>): Promise<void> {
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
    const marks = [connection === current ? t('current') : '', words].filter(mark => mark !== '');
    const icon = connection.isEmulator ? 'vm' : words === '' ? 'plug' : 'warning';
    return {
      label: `$(${icon}) ${toLabel(connection.name)}`,
      description: marks.join(', '),
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
  // The choice of a workspace counts only if it is trusted, and can be saved only if it has a folder.
  if (vscode.workspace.isTrusted && vscode.workspace.workspaceFolders !== undefined) {
    choices.push(
      target === 'user'
        ? { label: `$(folder) ${t('Choose for This Workspace Only...')}`, value: 'forWorkspace' }
        : { label: `$(globe) ${t('Choose for All Windows...')}`, value: 'forUser' },
    );
    if (chosen.by === 'workspace') {
      choices.push({ label: `$(discard) ${t('Use the Connection of All Windows')}`, value: 'likeEverywhere' });
    }
  }
  return choices;
}
