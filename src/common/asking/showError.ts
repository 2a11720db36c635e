import * as vscode from 'vscode';
import { ServiceError, type ServiceErrorKind } from '../../client/transport/errors';
import type { CommandId } from '../../contributions';
import { toLabel } from '../../shared/text';
import { runCommand } from '../commands';
import type { Log } from '../log';
import { failureCauseOf } from './failureCause';
import { NothingToDoError } from './nothingToDo';
import { showFailure, showInformation } from './notifications';
import { showUntrusted, UntrustedError } from './untrusted';

type Action = readonly [label: string, command: CommandId];

/** Creates a function that logs an error and shows it once, with buttons that fit its kind. An error due to missing trust is a warning. */
export function createShowError(log: Log): (error: unknown) => Promise<void> {
  return async error => {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof NothingToDoError) {
      await showInformation(toLabel(message, 1000));
      return;
    }
    log.error('A command failed', error);
    if (error instanceof UntrustedError) {
      await showUntrusted(message);
      return;
    }
    const actions = error instanceof ServiceError ? actionsFor(error.kind) : [];
    const offered: readonly Action[] = [...actions, [vscode.l10n.t('Show Log'), 'managedAgents.log.show']];
    const choice = await showFailure(toLabel(message, 1000), ...offered.map(([label]) => label));
    const command = offered.find(([label]) => label === choice)?.[1];
    if (command !== undefined) {
      await runCommand(command as 'managedAgents.log.show');
    }
  };
}

function actionsFor(kind: ServiceErrorKind): readonly Action[] {
  switch (failureCauseOf(kind)) {
    case 'key':
      return [[vscode.l10n.t('Set API Key'), 'managedAgents.connection.setKey']];
    case 'connection':
      return [
        [vscode.l10n.t('Test Connection'), 'managedAgents.connection.test'],
        [vscode.l10n.t('Edit Connection'), 'managedAgents.connection.edit'],
      ];
    case 'elsewhere':
      return [];
  }
}
