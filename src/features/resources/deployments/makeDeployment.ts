import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient';
import { showInformation } from '../../../common/asking/notifications';
import type { SessionReference } from '../../../contributions';
import { beginDraft } from '../createResource';
import { newDraft } from '../documents/beginning';
import { deployments } from '../kinds/deployments';
import type { ResourceFlow } from '../resourceFlow';
import { isFirstWord, toDeployment } from './deploymentOfSession';

/** Begins a document of a deployment that does what a session did. Nothing is made on the service before it is published. */
export async function makeDeployment(flow: ResourceFlow, { connection, sessionId }: SessionReference): Promise<void> {
  const { client } = await flow.service.reach(connection, 'user');
  const [{ data: session }, first] = await Promise.all([client.sessions.retrieve(sessionId), firstWordOf(client, sessionId)]);
  await beginDraft(flow, deployments.kind, newDraft(connection, toDeployment(session, first, vscode.l10n.t)));
  if (first === undefined) {
    void showInformation(vscode.l10n.t('The session has no message yet: write the first one into the document before you publish it.'));
  }
}

/** What the user said first; undefined where that is not among the first events. */
async function firstWordOf({ sessions }: ServiceClient, sessionId: string) {
  const types = ['user.message', 'user.define_outcome'];
  // A service that does not know the filter gives all events: what is said first is among the first of them.
  const { items } = await sessions.events(sessionId).list({ limit: 100, order: 'asc', types });
  return items.find(isFirstWord);
}
