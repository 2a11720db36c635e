import * as vscode from 'vscode';
import { ServiceError, type ServiceErrorKind } from '../../client/transport/errors';
import { toLabel } from '../../shared/text';
import { runCommand } from '../commands';
import type { Log } from '../log';
import { failureCauseOf } from './failureCause';
import { NothingToDoError } from './nothingToDo';
import { type Offer, offer, showFailure, showInformation } from './notifications';
import { showUntrusted, UntrustedError } from './untrusted';

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
    await offer(showFailure, toLabel(message, 1000), ...actions, toAction(vscode.l10n.t('Show Log'), 'managedAgents.log.show'));
  };
}

function toAction(label: string, command: 'managedAgents.log.show' | `managedAgents.connection.${'setKey' | 'test' | 'edit'}`): Offer {
  return [label, () => runCommand(command)];
}

function actionsFor(kind: ServiceErrorKind): readonly Offer[] {
  switch (failureCauseOf(kind)) {
    case 'key':
      return [toAction(vscode.l10n.t('Set API Key'), 'managedAgents.connection.setKey')];
    case 'connection':
      return [
        toAction(vscode.l10n.t('Test Connection'), 'managedAgents.connection.test'),
        toAction(vscode.l10n.t('Edit Connection'), 'managedAgents.connection.edit'),
      ];
    case 'elsewhere':
      return [];
  }
}
