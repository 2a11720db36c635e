import type { Agent } from '../../client/schemas/agents';
import { describeSince, type PresentationContext, type RowPresentation, shortId, toRow } from '../../common/text/presentation';
import { toLabel } from '../../shared/text';
import type { AgentDraft } from './agentDrafts';

/** Returns the row of an agent: name, version, model, age, and a mark if it has a draft. An agent without versions can't be compared. */
export function presentAgent(
  agent: Agent,
  draft: AgentDraft | undefined,
  context: PresentationContext,
  hasVersions = true,
): RowPresentation {
  const { translate } = context;
  const label = agentName(agent);
  const archived = isArchived(agent);
  const version = describeVersion(agent.version, context);
  const model = toLabel(modelOf(agent), 60);
  const drafted = draft === undefined ? '' : translate('draft');
  const state = archived ? translate('archived') : '';
  const age = describeSince(agent.updated_at ?? agent.created_at, context);
  const abilities = [
    'agent',
    ...(hasVersions ? ['comparable'] : []),
    ...(archived ? [] : ['startable', 'archivable']),
    ...(draft === undefined ? [] : ['hasDraft']),
  ];
  return toRow(label, [drafted, state, version, model, age], {
    icon: archived ? 'archive' : draft === undefined ? 'hubot' : 'edit',
    color: archived ? 'disabledForeground' : draft === undefined ? undefined : 'gitDecoration.modifiedResourceForeground',
    abilities,
  });
}

/** Returns the row of a version below its agent. */
export function presentVersion(agent: Agent, isLatest: boolean, isArchivedAgent: boolean, context: PresentationContext): RowPresentation {
  const { translate } = context;
  const label = translate('Version {0}', agent.version ?? '?');
  const latest = isLatest ? translate('latest') : '';
  const model = toLabel(modelOf(agent), 60);
  const age = describeSince(agent.updated_at ?? agent.created_at, context);
  const abilities = [
    'agent',
    'version',
    'comparable',
    ...(isArchivedAgent ? [] : ['startable']),
    ...(isLatest || isArchivedAgent ? [] : ['restorable']),
  ];
  return toRow(label, [latest, model, age], {
    icon: 'git-commit',
    abilities,
  });
}

/** Returns the row of an agent that the service does not have yet. */
export function presentNewAgent(draft: AgentDraft, context: PresentationContext): RowPresentation {
  const label = toLabel(draft.name, 80);
  const description = context.translate('Draft, not published');
  return {
    label,
    description,
    icon: 'new-file',
    color: 'gitDecoration.addedResourceForeground',
    abilities: 'newAgent hasDraft',
    spoken: `${label}, ${description}`,
  };
}

/** Returns the name of an agent, or its ID if it has none. */
export function agentName(agent: Agent): string {
  const name = toLabel(agent.name ?? '', 80);
  return name === '' ? shortId(agent.id) : name;
}

/** Returns the ID of the model. Returns '' if the service omits it. */
export function modelOf({ model }: Agent): string {
  return typeof model === 'string' ? model : (model?.id ?? '');
}

/** Returns whether an agent is archived: it accepts no new versions and starts no sessions. */
export function isArchived(agent: Agent): boolean {
  return typeof agent.archived_at === 'string';
}

/** Formats a version as `v3`. Returns '' if the service reports none. */
export function describeVersion(version: number | null | undefined, { translate }: Pick<PresentationContext, 'translate'>): string {
  return typeof version === 'number' ? translate('v{0}', version) : '';
}
