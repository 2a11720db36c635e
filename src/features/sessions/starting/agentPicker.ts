import * as vscode from 'vscode';
import { isNotServed } from '../../../client/dialect';
import type { Agent } from '../../../client/resources/agents';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { askChoice, askId, type Choice, separator } from '../../../common/asking/askSteps';
import { pickListed } from '../../../common/asking/pickListed';
import { PagedList } from '../../../common/lists/pagedList';
import { describeSince, type PresentationContext, shortId } from '../../../common/text/presentation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { join, toLabel } from '../../../shared/text';

/** Chosen agent. `version` is `undefined` for the latest version. */
export interface ChosenAgent {
  readonly id: string;
  readonly name: string;
  readonly version: number | undefined;
  readonly latest: number | undefined;
}

/** Asks the user to choose an agent, or to enter its ID. Reads all pages in the background, so that typing searches all agents. */
export async function pickAgent(
  client: Pick<ServiceClient, 'agents'>,
  question: { readonly title: string; readonly placeholder: string },
  context: PresentationContext,
): Promise<ChosenAgent> {
  const list = new PagedList<Agent>();
  list.reset('agents');
  const byId = (id: string): ChosenAgent => ({ id, name: id, version: undefined, latest: undefined });
  const ask: Choice<ChosenAgent | 'id'> = { label: `$(edit) ${vscode.l10n.t('Enter Agent ID...')}`, alwaysShow: true, value: 'id' };
  const chosen = await pickListed<ChosenAgent | 'id'>({
    ...question,
    none: () => '',
    list,
    choices: () => {
      const agents = list.items.filter(({ archived_at }) => !archived_at);
      return [...agents.map(agent => toItem(agent, context)), ...noteOf(list, agents), ask];
    },
    read: () => list.readOn(cursor => client.agents.list({ limit: pageSize, cursor })),
    searchesAll: true,
    mayBeUnlisted: true,
    byId,
  });
  return chosen === 'id' ? byId(await askId({ title: vscode.l10n.t('Agent'), prompt: vscode.l10n.t('ID of the agent') })) : chosen;
}

const pageSize = 100;

function nameOf({ name, id }: Agent): string {
  return name?.trim() || id;
}

function toItem(agent: Agent, context: PresentationContext): Choice<ChosenAgent> {
  const { translate } = context;
  const { id, model } = agent;
  const version = typeof agent.version === 'number' ? translate('version {0}', agent.version) : '';
  const modelId = typeof model === 'string' ? model : (model?.id ?? '');
  return {
    label: `$(robot) ${withoutIcons(toLabel(nameOf(agent), 80))}`,
    description: withoutIcons(join(' · ', version, toLabel(modelId, 60), describeSince(agent.updated_at ?? agent.created_at, context))),
    detail: withoutIcons(toLabel(agent.description?.replace(/\s+/g, ' ') || shortId(id), 120)),
    value: toChosenAgent(agent),
  };
}

/** Returns the note for a list without agents to choose from. Archived agents can't be chosen. */
export function noteOf({ problem, isListed, hasMore, state }: PagedList<Agent>, agents: readonly Agent[]): readonly Choice<never>[] {
  const isEmpty = problem === undefined && isListed && !hasMore && agents.length === 0;
  const note =
    state === 'unsupported' ? vscode.l10n.t("This service doesn't support agents") : isEmpty ? vscode.l10n.t('No agents found') : '';
  return note === '' ? [] : [separator(`$(info) ${note}`)];
}

/** Asks the user to choose a version of an agent, latest first, or to type its number, because the service may not list it. */
export async function pickVersion(
  client: Pick<ServiceClient, 'agents'>,
  agent: ChosenAgent,
  title: string,
  context: PresentationContext,
): Promise<ChosenAgent> {
  const { translate } = context;
  const listed = await client.agents.versions(agent.id, { limit: pageSize }).catch((error: unknown) => {
    if (error instanceof ServiceError && isNotServed(error.status)) {
      return { items: [] };
    }
    throw error;
  });
  const version = await askChoice<number>({
    title,
    placeholder: translate('Select a version of {0}', toLabel(agent.name, 60)),
    choices: [
      { label: translate('Latest'), description: translate('latest version when the session starts'), value: 0 },
      ...listed.items.flatMap(one => toVersion(one, context)),
    ],
    active: agent.version ?? 0,
    typed: text => (/^[1-9]\d{0,8}$/.test(text) ? { label: translate('Version {0}', text), value: Number(text) } : undefined),
  });
  return { ...agent, version: version === 0 ? undefined : version };
}

function toVersion({ version, updated_at, created_at, name }: Agent, context: PresentationContext): readonly Choice<number>[] {
  const description = withoutIcons(join(' · ', toLabel(name ?? '', 60), describeSince(updated_at ?? created_at, context)));
  return typeof version === 'number' ? [{ label: context.translate('Version {0}', version), description, value: version }] : [];
}

const key = 'managedAgents.lastAgents';

/** Returns the agent of the last start on a connection, or the only agent of the service. `undefined` if the user has to choose. */
export async function lastAgent(
  client: Pick<ServiceClient, 'agents'>,
  memento: Pick<vscode.Memento, 'get'>,
  connection: string,
): Promise<ChosenAgent | undefined> {
  const id = memento.get<Readonly<Record<string, string>>>(key)?.[connection];
  try {
    const agents = id === undefined ? (await client.agents.list({ limit: 2 })).items : [(await client.agents.retrieve(id)).data];
    const [agent, ...others] = agents;
    return agent === undefined || others.length > 0 || agent.archived_at ? undefined : toChosenAgent(agent);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') {
      return undefined;
    }
    throw error;
  }
}

/** Saves the agent of a start as the default for the next start on this connection. */
export async function writeLastAgent(memento: Pick<vscode.Memento, 'get' | 'update'>, connection: string, id: string): Promise<void> {
  await memento.update(key, { ...memento.get<object>(key), [connection]: id });
}

/** Returns an agent as chosen, in the given version or the latest version. */
export function toChosenAgent(agent: Agent, version?: number): ChosenAgent {
  return { id: agent.id, name: nameOf(agent), version, latest: version === undefined ? (agent.version ?? undefined) : undefined };
}
