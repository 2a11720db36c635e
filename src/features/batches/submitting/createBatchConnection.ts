import * as vscode from 'vscode';
import { describeTrust } from '../../../common/text/describeTrust';
import { type Connection, type Connections, readyConnection as readyFor } from '../../connection';

/** Returns a usable connection for a batch; see `readyConnection` of the connection feature. */
export function readyConnection(connections: Connections): Promise<Connection> {
  return readyFor(connections, {
    question: vscode.l10n.t('Where should the batch go?'),
    untrusted: vscode.l10n.t('No batch was created. {0}', describeTrust(vscode.l10n.t)),
  });
}
