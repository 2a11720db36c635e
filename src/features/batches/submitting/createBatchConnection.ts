import * as vscode from 'vscode';
import { describeTrust } from '../../../common/text/describeTrust';
import { type Connection, type Connections, readyConnection as readyFor } from '../../connection';

/** See `readyConnection` of the connection feature, in the words of a batch. */
export function readyConnection(connections: Connections): Promise<Connection> {
  return readyFor(connections, {
    question: vscode.l10n.t('Select a connection'),
    untrusted: vscode.l10n.t('No batch was created. {0}', describeTrust(vscode.l10n.t)),
  });
}
