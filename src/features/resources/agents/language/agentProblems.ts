import { latestVersionKey, versionKey } from '../../../../client/resources/skills';
import type { ListStart } from '../../../../client/transport/pagination';
import type { Translate } from '../../../../common/text/translate';
import { toLabel } from '../../../../shared/text';
import type { AgentReferences, AgentReferenceText } from './agentReferences';
import type { KnownNames, NamedGroup } from './serviceNames';

/** Problem in an agent document. `lacking` is the list that does not contain the name, and may be outdated. */
interface AgentProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly lacking?: NamedGroup;
}

/** Word in a document that refers to the newest version. */
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
  if (kind === 'skillVersion') {
    return skillId ? { versionsOf: skillId } : undefined;
  }
  return kind === 'server' ? undefined : `${kind}s`;
}

/**
 * Finds the problems that the service refuses or that cause failures later (API facts, section 10): mismatched MCP servers, archived agents
 * and unknown names. A name is unknown only if its list was read completely. Messages name `connection`.
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
  const { kind, text, start, end, source, skillId, version } = reference;
  const group = groupOf(kind, skillId);
  const name = toLabel(text, 80);
  const isOwn = source === ownSkills;
  const lacking = (message: string, range = { start, end }) => [{ ...range, message, ...(group !== undefined && { lacking: group }) }];
  const absent = () => lacking(translate("{1} isn't on the connection {0}.", connection, name));
  switch (text === '' ? undefined : kind) {
    case 'model':
      return lacks(known.models, ({ id }) => id === text || isDated(id, text)) ? absent() : [];
    case 'skill':
      return isOwn && lacks(known.skills, ({ id }) => id === text) ? absent() : [];
    case 'skillVersion': {
      const skill = known.skills?.items.find(({ id }) => id === skillId);
      const isUnknown = isOwn && text !== latestWord && skill !== undefined && latestVersionKey(skill) !== text;
      return isUnknown && lacks(known.versions(skillId ?? ''), one => versionKey(one) === text || one.id === text)
        ? lacking(translate('{0} has no version {1} on the connection {2}.', toLabel(skillId ?? '', 80), name, connection))
        : [];
    }
    case 'agent': {
      const agent = known.agents?.items.find(({ id }) => id === text);
      if (agent === undefined) {
        return known.agents?.isWhole === true ? absent() : [];
      }
      if (typeof agent.archived_at === 'string') {
        return [{ start, end, message: translate('The agent {0} is archived on the connection {1}.', name, connection) }];
      }
      const isTooNew = version !== undefined && typeof agent.version === 'number' && version.value > agent.version;
      const message = () => translate('{0} has no version {1} on the connection {2}.', name, version?.value ?? '', connection);
      return isTooNew ? lacking(message(), { start: version.start, end: version.end }) : [];
    }
    default:
      return [];
  }
}

function lacks<T>(listed: ListStart<T> | undefined, fits: (item: T) => boolean): boolean {
  return listed?.isWhole === true && !listed.items.some(fits);
}

/** Returns whether `listed` is `name` plus a date. The service accepts the undated name too. */
function isDated(listed: string, name: string): boolean {
  return listed.startsWith(`${name}-`) && /^\d{8}$/.test(listed.slice(name.length + 1));
}
