import * as vscode from 'vscode';
import type { SessionEvent } from '../../../client/events/eventLog';
import type { DeploymentRun } from '../../../client/resources/deployments';
import type { Session } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { confirmChange } from '../../../common/asking/confirmChange';
import { offer, showInformation, showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import type { Translate } from '../../../common/text/translate';
import type { Reference, SessionReference } from '../../../contributions';
import { ownZone } from '../../../shared/schedule/zoneTime';
import type { Definition } from '../definitions/definitionText';
import { newDraft, openDraft } from '../draftActs';
import { deploymentRuns, deployments } from '../kinds/deployments';
import { describeRunError } from '../kinds/deploymentWords';
import { type ResourceFlow, resourceToChange, unlessGone } from '../resourceFlow';

/** Opens a draft of a deployment that repeats a session. Nothing is created on the service until it is published. */
export async function makeDeployment(flow: ResourceFlow, { connection, sessionId }: SessionReference): Promise<void> {
  const { client } = await flow.service.reach(connection, 'read');
  const [{ data: session }, first] = await Promise.all([client.sessions.retrieve(sessionId), firstMessageOf(client, sessionId)]);
  await openDraft(flow, newDraft(deployments, connection, toDeployment(session, first, vscode.l10n.t)));
  if (first === undefined) {
    void showInformation(vscode.l10n.t('Add the first message to the document before you publish it.'));
  }
}

async function firstMessageOf({ sessions }: ServiceClient, sessionId: string) {
  const types = ['user.message', 'user.define_outcome'];
  // A service may ignore the filter and return all events. The first message is then among the first events.
  const { items } = await sessions.events(sessionId).list({ limit: 100, order: 'asc', types });
  return items.find(isFirstWord);
}

/** Fields that the service adds to a resource of a session. */
const setByService: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at', 'authorization_token']);
/** Fields of an event that the user wrote. All other fields are set by the service. */
const eventFields = ['type', 'content', 'description', 'rubric', 'max_iterations'];
const longestName = 256;

/**
 * Returns the document of a deployment that starts sessions like an existing session. It has the same agent version, environment,
 * resources, vaults and budget. It sends `first`, the first event that the user sent. The schedule is only a suggestion, which the user
 * reviews before publishing.
 */
export function toDeployment(session: Session, first: SessionEvent | undefined, translate: Translate): Definition {
  const { agent, environment_id: environment, resources, vault_ids: vaults, budget } = session;
  const version = typeof agent?.version === 'number' ? { version: agent.version } : {};
  const name = session.title || agent?.name || translate('Deployment');
  return {
    name: Array.from(name).slice(0, longestName).join(''),
    description: translate('Based on session {0}', session.id),
    agent: { type: 'agent', id: agent?.id ?? '', ...version },
    environment_id: environment ?? '',
    schedule: { type: 'cron', expression: '0 9 * * 1-5', timezone: ownZone() },
    initial_events: [
      first === undefined
        ? { type: 'user.message', content: [{ type: 'text', text: '' }] }
        : pick(first, name => eventFields.includes(name)),
    ],
    ...(resources?.length ? { resources: resources.map(resource => pick(resource, name => !setByService.has(name))) } : {}),
    ...(vaults?.length ? { vault_ids: vaults } : {}),
    ...(budget ? { budget } : {}),
  };
}

/** Returns whether an event can be the first event that a deployment sends. */
export function isFirstWord({ type }: SessionEvent): boolean {
  return type === 'user.message' || type === 'user.define_outcome';
}

function pick(value: object, isWanted: (name: string) => boolean): Definition {
  return Object.fromEntries(Object.entries(value).filter(([name, field]) => isWanted(name) && field !== null));
}

/** Starts a session of a deployment now, after asking, because it costs money. Shows the session, or the reason why none was created. */
export async function runDeployment(flow: ResourceFlow, target: Reference | undefined): Promise<void> {
  const { reference, reached, value: deployment } = await resourceToChange(flow, target, deployments, 'runnable');
  const { connection, client } = reached;
  const name = deployments.name(deployment);
  const detail = vscode.l10n.t('It starts a session, which costs money.');
  const title = vscode.l10n.t('Run "{0}" now?', name);
  const limit = deployment.budget == null ? vscode.l10n.t('It has no budget limit.') : '';
  await confirmChange(connection, { title, details: [limit, detail], button: vscode.l10n.t('Run Now') });
  try {
    const { data } = await unlessGone(flow, reference, () => client.deployments.run(reference.id));
    flow.store.put({ connection: connection.name, kind: deploymentRuns.kind, parent: reference }, data);
    // Not awaited, because the message stays until the user closes it.
    void showStarted(name, connection.name, data);
  } finally {
    // There may be a run even if the request failed.
    await flow.store.listOf(connection.name, deploymentRuns, reference).refresh();
  }
}

async function showStarted(name: string, connection: string, { session_id: sessionId, error }: DeploymentRun): Promise<void> {
  if (!sessionId) {
    await showWarning(vscode.l10n.t('"{0}" couldn\'t start a session: {1}.', name, describeRunError(error, vscode.l10n.t)));
    return;
  }
  const open = () => runCommand('managedAgents.session.open', { connection, sessionId });
  await offer(showInformation, vscode.l10n.t('"{0}" started a session.', name), [vscode.l10n.t('Open Session'), open]);
}
