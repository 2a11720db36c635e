import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient';
import { showInformation } from '../../../common/asking/notifications';
import type { SessionReference } from '../../../contributions';
import { newDraft } from '../documents/askNewDraft';
import { beginDraft } from '../draftActs';
import { deployments } from '../kinds/deployments';
import type { ResourceFlow } from '../resourceFlow';
import { isFirstWord, toDeployment } from './deploymentOfSession';

/** Opens a draft of a deployment that repeats a session. Nothing is created on the service until it is published. */
export async function makeDeployment(flow: ResourceFlow, { connection, sessionId }: SessionReference): Promise<void> {
  const { client } = await flow.service.reach(connection, 'user');
  const [{ data: session }, first] = await Promise.all([client.sessions.retrieve(sessionId), firstWordOf(client, sessionId)]);
  await beginDraft(flow, newDraft(deployments, connection, toDeployment(session, first, vscode.l10n.t)));
  if (first === undefined) {
    void showInformation(vscode.l10n.t('Add the first message to the document before you publish it.'));
  }
}

/** Returns the first message of the user, or `undefined` if it is not among the first events. */
async function firstWordOf({ sessions }: ServiceClient, sessionId: string) {
  const types = ['user.message', 'user.define_outcome'];
  // A service that ignores the filter returns all events: the first message is among the first of them.
  const { items } = await sessions.events(sessionId).list({ limit: 100, order: 'asc', types });
  return items.find(isFirstWord);
}
