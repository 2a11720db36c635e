import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import { listAll } from '../../client/transport/pagination';
import { askChoice } from '../../common/asking/askSteps';
import { showInformation } from '../../common/asking/notifications';
import { toChoice } from '../../common/asking/pickListed';
import { withProgress } from '../../common/asking/progress';
import { warnOfCut } from '../../common/asking/warnOfCut';
import { warnOfIgnored } from '../../common/asking/warnOfIgnored';
import { CancelledError } from '../../common/cancellation';
import { toListingState } from '../../common/lists/pagedList';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { AgentReference } from '../../contributions';
import { toPatch } from '../resources/definitions';
import { confirmBeside, isConflict, showDiff } from '../resources/documents';
import { draftIdOf } from './agentDrafts';
import { type AgentFlow, type AgentTarget, agentOf, agentLocationOf } from './agentFlow';
import { agentDefinition, agentKind } from './agentKind';
import { agentName, presentVersion } from './agentPresentation';
import { toAgentUri } from './agentUri';

/**
 * Compares two versions of an agent in VS Code's diff editor: the two selected rows, or one row with another version that the user chooses.
 * If the agent has a draft, the draft is one side.
 */
export async function compareVersions(
  flow: AgentFlow,
  target: AgentTarget | undefined,
  selected: readonly AgentTarget[] = [],
): Promise<void> {
  const [first, second] = selected.filter(
    row => typeof row !== 'string' && !(row instanceof vscode.Uri) && row.version !== undefined,
  ) as AgentReference[];
  if (first?.version !== undefined && second?.version !== undefined && selected.length === 2 && first.agentId === second.agentId) {
    await showVersions(flow, first, Math.min(first.version, second.version), Math.max(first.version, second.version));
    return;
  }
  const place = await agentLocationOf(flow, target);
  if (place.kind === 'new') {
    throw new Error(vscode.l10n.t("This draft isn't on the service yet. Publish it first."));
  }
  await flow.drafts.load();
  const { connection, agentId } = place;
  const reference = { connection, agentId };
  const base = flow.files.baseOf(draftIdOf(connection, agentId));
  const hasDraft = flow.drafts.of(connection).some(draft => draft.agentId === agentId);
  if (place.kind === 'agent' && hasDraft && base !== undefined) {
    const other = await pickVersion(flow, reference, base.version);
    const name = agentName(other);
    await showDiff(
      toAgentUri({ kind: 'version', ...reference, version: other.version ?? 0 }, name),
      flow.files.uriOf({ kind: 'agent', ...reference }, name),
      vscode.l10n.t('{0}: version {1} ↔ your draft', name, other.version ?? '?'),
    );
    return;
  }
  const one = place.kind === 'version' ? place.version : ((await pickVersion(flow, reference)).version ?? 0);
  const other = await pickVersion(flow, reference, undefined, one);
  const two = other.version ?? 0;
  await showVersions(flow, reference, Math.min(one, two), Math.max(one, two));
}

/** Publishes the content of an older version as the newest one, after showing the changes. */
export async function restoreVersion(flow: AgentFlow, target: AgentReference | undefined): Promise<void> {
  flow.service.demand('userToChange');
  const reference = await agentOf(flow, target);
  const { connection, agentId } = reference;
  const latest = await flow.service.latest({ connection, agentId });
  const newest = latest.version ?? 0;
  const version = reference.version ?? (await pickVersion(flow, { connection, agentId }, undefined, newest)).version ?? 0;
  const old = await flow.service.version(connection, agentId, version);
  const name = agentName(latest);
  const { fields, changed } = toPatch(agentDefinition.read(latest), agentDefinition.read(old), newest);
  if (changed.length === 0) {
    void showInformation(vscode.l10n.t('Version {0} is the same as the latest version {1}.', version, newest));
    return;
  }
  await showVersions(flow, { connection, agentId }, newest, version);
  const confirmed = await confirmBeside(
    vscode.l10n.t('Restore version {0} of {1} as version {2}?', version, name, newest + 1),
    vscode.l10n.t('Publish Version {0}', newest + 1),
    vscode.l10n.t('Later versions and your draft are kept.'),
    vscode.l10n.t('Leave It'),
  );
  if (!confirmed) {
    throw new CancelledError();
  }
  const { client } = await flow.service.reach(connection, 'userToChange');
  try {
    const answer = await client.agents.update(agentId, fields);
    const { data } = answer;
    flow.files.seeAgent(connection, data);
    flow.store.list.put(connection, data);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Published version {0} of {1}', data.version ?? '?', withoutIcons(name)), 5000);
    warnOfIgnored(name, answer);
  } catch (error) {
    if (isConflict(error)) {
      throw new Error(vscode.l10n.t('{0} has changed in the meantime. Review it and try again.', name), {
        cause: error,
      });
    }
    throw error;
  }
}

async function showVersions(flow: AgentFlow, { connection, agentId }: AgentReference, left: number, right: number): Promise<void> {
  const name = agentName(await flow.service.version(connection, agentId, left));
  const uri = (version: number) => toAgentUri({ kind: 'version', connection, agentId, version }, name);
  await showDiff(uri(left), uri(right), vscode.l10n.t('{0}: version {1} ↔ version {2}', name, left, right));
}

/** Asks the user to choose a version. Pages are loaded on request. `first` is at the top, and `without` is omitted. */
async function pickVersion(flow: AgentFlow, { connection, agentId }: AgentReference, first?: number, without?: number): Promise<Agent> {
  const { client } = await flow.service.reach(connection, 'user');
  const versions = await withProgress(vscode.l10n.t('Reading versions'), new AbortController().signal, async signal => {
    const bounds = { limit: 100, maxPages: 20, keyOf: ({ version }: Agent) => String(version), signal, onCut: warnOfCut };
    const read: Agent[] = [];
    try {
      for await (const version of listAll<Agent>(options => client.agents.versions(agentId, options), bounds)) {
        read.push(version);
      }
      return read;
    } catch (error) {
      if (toListingState(error) !== 'unsupported' || read.length > 0) {
        throw error;
      }
      if (connection === flow.store.list.scope) {
        flow.store.acceptNoVersions(agentId);
      }
      throw new Error(vscode.l10n.t('This service lists no versions'), { cause: error });
    }
  });
  const choices = versions
    .filter(({ version }) => version !== without)
    .sort((a, b) => Number(b.version === first) - Number(a.version === first))
    .map(agent => toChoice(presentVersion(agent, agent.version === versions[0]?.version, false, flow.presentation()), '', agent));
  const none = vscode.l10n.t('No other versions');
  return await askChoice({
    title: agentKind.title(vscode.l10n.t),
    placeholder: without === undefined ? vscode.l10n.t('Select a version') : vscode.l10n.t('Compare with version {0}', without),
    choices,
    none,
  });
}
