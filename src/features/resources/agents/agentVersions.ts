import * as vscode from 'vscode';
import type { Agent } from '../../../client/resources/agents';
import { showInformation } from '../../../common/asking/notifications';
import { pickListed, toChoice } from '../../../common/asking/pickListed';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { AgentReference, Reference } from '../../../contributions';
import { refuseUntrusted } from '../../connection';
import { toDefinition } from '../definitions/definitionText';
import { draftIdOf } from '../definitions/drafts';
import { toPatch } from '../definitions/mergeDefinitions';
import { confirmBeside, showDiff } from '../documents/publishSteps';
import { agentScheme } from '../documents/resourceUri';
import { agentDefinition } from '../kinds/agentDefinition';
import { type AgentVersion, agentName, agents, agentVersions } from '../kinds/agents';
import { toConflict } from '../lists/resourceErrors';
import { nameOf, type ResourceFlow, referenceOf, retrieve } from '../resourceFlow';
import { promptScheme, toAgentUri } from './prompt/promptFiles';

/**
 * Compares two versions of an agent in VS Code's diff editor. These are the two selected rows, or one row and a version that the user
 * chooses. If the agent has a draft, the draft is one side.
 */
export async function compareVersions(
  flow: ResourceFlow,
  target: AgentTarget | undefined,
  selected: readonly AgentTarget[] = [],
): Promise<void> {
  const reference = await chosen(flow, target);
  const agent = agentOf(reference);
  const [first, second, ...others] = selected.map(row => (typeof row === 'object' && 'agentId' in row ? row : undefined));
  if (first?.version && second?.version && others.length === 0 && first.agentId === second.agentId) {
    await showVersions(flow, agent, first.version, second.version);
    return;
  }
  await flow.drafts.load();
  const draft = flow.drafts.find(draftIdOf(agent));
  if (reference === agent && draft?.base !== undefined) {
    const other = await pickVersion(flow, agent, vscode.l10n.t('Select a version'), { first: draft.base.version });
    const name = agentName(other.original);
    const uri = flow.files.uriOf({ view: 'edit', reference: agent }, name);
    await showDiff(versionUri(flow, agent, other.id), uri, vscode.l10n.t('{0}: version {1} ↔ your draft', name, other.id));
    return;
  }
  const version = await versionOf(flow, reference);
  const other = await pickVersion(flow, agent, vscode.l10n.t('Compare with version {0}', version), { without: version });
  await showVersions(flow, agent, Number(version), Number(other.id));
}

/** Publishes the content of an older version as the newest version, after showing the changes. */
export async function restoreVersion(flow: ResourceFlow, target: AgentReference | undefined): Promise<void> {
  refuseUntrusted('change');
  const reference = await chosen(flow, target);
  const agent = agentOf(reference);
  const reached = await flow.service.reach(agent.connection, 'read');
  const latest = (await retrieve(flow, reached, agent)) as Agent;
  const newest = latest.version ?? 0;
  const version = await versionOf(flow, reference, String(newest));
  const old = (await agentVersions.calls(reached.client, agent).retrieve(version)).data.original;
  const name = agentName(latest);
  const { fields, changed } = toPatch(toDefinition(latest, agentDefinition), toDefinition(old, agentDefinition), newest);
  if (changed.length === 0) {
    void showInformation(vscode.l10n.t('Version {0} is the same as the latest version {1}.', version, newest));
    return;
  }
  await showDiff(versionUri(flow, agent, String(newest)), versionUri(flow, agent, version), titleOf(name, newest, version));
  await confirmBeside(
    vscode.l10n.t('Restore version {0} of {1} as version {2}?', version, name, newest + 1),
    vscode.l10n.t('Publish Version {0}', newest + 1),
    vscode.l10n.t('Later versions and your draft are kept.'),
    vscode.l10n.t('Keep As Is'),
  );
  const { client } = await flow.service.reach(agent.connection, 'change');
  try {
    const response = await client.agents.update(agent.id, fields);
    const { data } = response;
    flow.files.updateListed(agent, data);
    flow.store.put(agent, data);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Published version {0} of {1}', data.version ?? '?', withoutIcons(name)), 5000);
    warnOfIgnored(name, response);
  } catch (error) {
    throw toConflict(error, name, vscode.l10n.t);
  }
}

async function showVersions(flow: ResourceFlow, agent: Reference, one: number, other: number): Promise<void> {
  const [left, right] = [Math.min(one, other), Math.max(one, other)];
  const uri = (version: number) => versionUri(flow, agent, String(version));
  await showDiff(uri(left), uri(right), titleOf(nameOf(flow, agent), left, right));
}

function titleOf(name: string, left: number | string, right: number | string): string {
  return vscode.l10n.t('{0}: version {1} ↔ version {2}', name, left, right);
}

function versionUri(flow: ResourceFlow, agent: Reference, version: string): vscode.Uri {
  const reference = { connection: agent.connection, kind: agentVersions.kind, id: version, parent: agent };
  return flow.files.uriOf({ view: 'edit', reference }, `${nameOf(flow, agent)} v${version}`);
}

/** Returns the version that a reference names, or a version that the user chooses. */
async function versionOf(flow: ResourceFlow, reference: Reference, without?: string): Promise<string> {
  return reference.parent === undefined
    ? (await pickVersion(flow, reference, vscode.l10n.t('Select a version'), without === undefined ? {} : { without })).id
    : reference.id;
}

/** Asks the user to choose a version other than `without`. The version `first` is the top choice. */
async function pickVersion(
  flow: ResourceFlow,
  agent: Reference,
  placeholder: string,
  { first, without }: { readonly first?: number | undefined; readonly without?: string } = {},
): Promise<AgentVersion> {
  const { client } = await flow.service.reach(agent.connection, 'read');
  const members = flow.store.listOf(agent.connection, agentVersions, agent);
  const { list } = members;
  const versions = () =>
    (list.items as readonly AgentVersion[])
      .filter(({ id }) => id !== without)
      .toSorted((a, b) => Number(b.id === String(first)) - Number(a.id === String(first)));
  return await pickListed<AgentVersion>({
    title: agents.title(vscode.l10n.t),
    placeholder,
    none: () => (list.state === 'unsupported' ? vscode.l10n.t('This service lists no versions') : vscode.l10n.t('No other versions')),
    list,
    choices: () => versions().map(version => toChoice(agentVersions.row(version, flow.presentation()), '', version)),
    read: () => members.readOn(client),
  });
}

/** Argument of an agent command: a reference, a document of the agent or its prompt, or the name of the kind. */
export type AgentTarget = AgentReference | vscode.Uri | string;

/** Converts an argument to an argument of a resource command. Without an argument, returns the agent of the active document. */
export function toTarget(given: AgentTarget | undefined): Reference | vscode.Uri | string | undefined {
  const target = given ?? vscode.window.activeTextEditor?.document.uri;
  if (target instanceof vscode.Uri) {
    return target.scheme === promptScheme ? toAgentUri(target) : target.scheme === agentScheme ? target : undefined;
  }
  return typeof target === 'object' ? toReference(target) : target;
}

/** Converts the reference to an agent, or to one of its versions, to a resource reference. */
function toReference({ connection, agentId, version }: AgentReference): Reference {
  const agent = { connection, kind: agents.kind, id: agentId };
  return version === undefined ? agent : { connection, kind: agentVersions.kind, id: String(version), parent: agent };
}

/** Returns the agent or agent version that a command applies to. */
export function chosen(flow: ResourceFlow, target: AgentTarget | undefined, ability?: string): Promise<Reference> {
  return referenceOf(flow, toTarget(target), [agents], ability);
}

/** Returns the agent itself, also for one of its versions. */
export function agentOf(reference: Reference): Reference {
  return reference.parent ?? reference;
}
