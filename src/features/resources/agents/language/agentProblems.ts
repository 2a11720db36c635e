import type { Agent } from '../../../../client/schemas/agents';
import { latestVersionKey, versionKey } from '../../../../client/schemas/skillKeys';
import type { ListStart } from '../../../../client/transport/pagination';
import type { Translate } from '../../../../common/text/translate';
import { toLabel } from '../../../../shared/text';
import type { AgentReferences, AgentReferenceText } from './agentReferences';
import type { KnownNames, NamedGroup } from './serviceNames';

/** Problem in an agent document. `lacking` is the list that does not contain the name, and may be outdated. */
export interface AgentProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly lacking?: NamedGroup;
}

/** Word for the newest version. */
export const latestWord = 'latest';
/** Source of skills created on this service. Any other source is a vendor, whose skills may be missing from every list. */
export const ownSkills = 'custom';

/** Returns the groups that can contain the names of a document. */
export function groupsOf({ references }: AgentReferences): readonly NamedGroup[] {
  const groups = new Map<string, NamedGroup>();
  for (const { kind, text, source, skillId } of references) {
    const group = groupOf(kind, skillId);
    const isPinned = kind !== 'skillVersion' || (source === ownSkills && text !== latestWord);
    if (group !== undefined && isPinned) {
      groups.set(JSON.stringify(group), group);
    }
  }
  return [...groups.values()];
}

/** Returns the group of a reference. `undefined` if its target is not on the service. */
export function groupOf(kind: AgentReferenceText['kind'], skillId: string | undefined): NamedGroup | undefined {
  switch (kind) {
    case 'model':
      return 'models';
    case 'skill':
      return 'skills';
    case 'agent':
      return 'agents';
    case 'skillVersion':
      return skillId ? { versionsOf: skillId } : undefined;
    case 'server':
      return undefined;
  }
}

/**
 * Returns everything that the service would refuse or that would fail later: unknown names, if their list was read completely, and
 * mismatched MCP servers (API facts, section 10). Messages name `connection`.
 */
export function findProblems(
  document: AgentReferences,
  known: KnownNames,
  connection: string,
  translate: Translate,
): readonly AgentProblem[] {
  return [
    ...findServerProblems(document, translate),
    ...document.references.flatMap(reference => findLacking(reference, known, toLabel(connection, 60), translate)),
  ].toSorted((one, other) => one.start - other.start);
}

function findServerProblems({ references, servers }: AgentReferences, translate: Translate): AgentProblem[] {
  const used = new Set(references.flatMap(({ kind, text }) => (kind === 'server' ? [text] : [])));
  const names = new Set(servers.map(({ name }) => name));
  const first = new Set<string>();
  const problems: AgentProblem[] = [];
  for (const { name, start, end } of servers) {
    if (first.has(name)) {
      problems.push({ start, end, message: translate('Another MCP server has the name {0}.', toLabel(name, 80)) });
    } else if (name !== '' && !used.has(name)) {
      problems.push({ start, end, message: translate('No "mcp_toolset" uses the server {0}.', toLabel(name, 80)) });
    }
    first.add(name);
  }
  for (const { kind, text, start, end } of references) {
    if (kind === 'server' && text !== '' && !names.has(text)) {
      problems.push({ start, end, message: translate('No MCP server has the name {0}.', toLabel(text, 80)) });
    }
  }
  return problems;
}

function findLacking(reference: AgentReferenceText, known: KnownNames, connection: string, translate: Translate): AgentProblem[] {
  const { kind, start, end, source, skillId } = reference;
  const text = toLabel(reference.text, 80);
  if (reference.text === '') {
    return [];
  }
  const lacking = (message: string) => [{ start, end, message, ...lackingIn(groupOf(kind, skillId)) }];
  switch (kind) {
    case 'model':
      return lacks(known.models, ({ id }) => id === reference.text || isDated(id, reference.text))
        ? lacking(translate("{1} isn't on the connection {0}.", connection, text))
        : [];
    case 'skill':
      return source === ownSkills && lacks(known.skills, ({ id }) => id === reference.text)
        ? lacking(translate("{1} isn't on the connection {0}.", connection, text))
        : [];
    case 'skillVersion': {
      const skill = known.skills?.items.find(({ id }) => id === skillId);
      const isKnown = source !== ownSkills || reference.text === latestWord || skill === undefined;
      return !isKnown && latestVersionKey(skill) !== reference.text && lacksVersion(reference, known)
        ? lacking(translate('{0} has no version {1} on the connection {2}.', toLabel(skillId ?? '', 80), text, connection))
        : [];
    }
    case 'agent':
      return findAgentProblems(reference, known.agents, connection, translate, lacking);
    case 'server':
      return [];
  }
}

function findAgentProblems(
  { text, start, end, version }: AgentReferenceText,
  agents: ListStart<Agent> | undefined,
  connection: string,
  translate: Translate,
  lacking: (message: string) => AgentProblem[],
): AgentProblem[] {
  const name = toLabel(text, 80);
  const agent = agents?.items.find(({ id }) => id === text);
  if (agent === undefined) {
    return agents?.isWhole === true ? lacking(translate("{1} isn't on the connection {0}.", connection, name)) : [];
  }
  if (typeof agent.archived_at === 'string') {
    return [{ start, end, message: translate('The agent {0} is archived on the connection {1}.', name, connection) }];
  }
  const isTooNew = version !== undefined && typeof agent.version === 'number' && version.value > agent.version;
  const message = translate('{0} has no version {1} on the connection {2}.', name, version?.value ?? '', connection);
  return isTooNew ? [{ start: version.start, end: version.end, message, ...lackingIn('agents') }] : [];
}

function lacksVersion({ text, skillId }: AgentReferenceText, known: KnownNames): boolean {
  return lacks(known.versions(skillId ?? ''), version => versionKey(version) === text || version.id === text);
}

function lacks<T>(listed: ListStart<T> | undefined, fits: (item: T) => boolean): boolean {
  return listed?.isWhole === true && !listed.items.some(fits);
}

/** Returns whether `listed` is `name` plus a date. The service accepts the undated name too. */
function isDated(listed: string, name: string): boolean {
  return listed.startsWith(`${name}-`) && /^\d{8}$/.test(listed.slice(name.length + 1));
}

function lackingIn(group: NamedGroup | undefined): Pick<AgentProblem, 'lacking'> {
  return group === undefined ? {} : { lacking: group };
}
