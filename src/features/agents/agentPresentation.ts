import type { Agent } from '../../client/schemas/agents';
import { describeSince, type PresentationContext, type RowPresentation, shortId, toRow } from '../../common/text/presentation';
import { toLabel } from '../../shared/text';
import type { AgentDraft } from './agentDrafts';

/** The row of an agent: its name, its version and model, its age; a draft is told. Without versions there is nothing to compare. */
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

/** The row of one version below its agent. */
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

/** The row of an agent that the service does not have yet. */
export function presentNewAgent(draft: AgentDraft, context: PresentationContext): RowPresentation {
  const label = toLabel(draft.name, 80);
  const description = context.translate('new, not published');
  return {
    label,
    description,
    icon: 'new-file',
    color: 'gitDecoration.addedResourceForeground',
    abilities: 'newAgent hasDraft',
    spoken: `${label}, ${description}`,
  };
}

/** The name of an agent, or its id where it has none. */
export function agentName(agent: Agent): string {
  const name = toLabel(agent.name ?? '', 80);
  return name === '' ? shortId(agent.id) : name;
}

/** The model's id; empty when not told. */
export function modelOf({ model }: Agent): string {
  return typeof model === 'string' ? model : (model?.id ?? '');
}

/** Whether an agent takes no new versions and starts no sessions any more. */
export function isArchived(agent: Agent): boolean {
  return typeof agent.archived_at === 'string';
}

/** `v3`; empty when the service tells none. */
export function describeVersion(version: number | null | undefined, { translate }: Pick<PresentationContext, 'translate'>): string {
  return typeof version === 'number' ? translate('v{0}', version) : '';
}
