import { findCursor, type Path } from '../../../../jsonl/guide/cursorPosition';
import { type LooseValue, memberOf, memberText, parseLoose, textOf } from '../../../../jsonl/guide/looseJson';
import { ownValue } from '../../../../shared/isRecord';

/** Kind of a name in an agent document. All but servers are on the service (API facts, section 10). */
type ReferenceKind = 'model' | 'skill' | 'skillVersion' | 'agent' | 'server';

/** Name in an agent document. `start` and `end` are offsets that include the quotation marks. */
export interface AgentReferenceText {
  readonly kind: ReferenceKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Source of a skill or of a skill version. `custom`, or the name of a vendor. */
  readonly source?: string | undefined;
  readonly skillId?: string | undefined;
  /** Pinned version of a referenced agent, with its offsets. */
  readonly version?: { readonly value: number; readonly start: number; readonly end: number };
}

/** MCP server that the document defines. */
export interface ServerText {
  readonly name: string;
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

/** All names in a document, and its servers, in document order. */
export interface AgentReferences {
  readonly references: readonly AgentReferenceText[];
  readonly servers: readonly ServerText[];
}

/** Position at which a completion is possible: the kind of name, and the range to replace. */
export interface CompletionTarget {
  readonly kind: ReferenceKind;
  readonly start: number;
  readonly end: number;
  readonly source?: string | undefined;
  readonly skillId?: string | undefined;
  readonly commaBefore: boolean;
  readonly commaAfter: boolean;
}

/** Depth of the deepest names: `multiagent.subagents.predefined_agents.*.id`. */
const deepest = 5;

/** Parses the names in an agent document. Reads a broken document as far as possible and never throws. */
export function readReferences(text: string): AgentReferences {
  const root = parseLoose(text);
  const references: AgentReferenceText[] = [];
  const visit = (value: LooseValue | undefined, path: Path, holder?: LooseValue): void => {
    const kind = isWritten(value) ? kindOf(text, path, holder) : undefined;
    if (value !== undefined && kind !== undefined) {
      references.push({ kind, text: textOf(text, value), start: value.start, end: value.end, ...detailsOf(text, kind, holder) });
    }
    if (value !== undefined && path.length < deepest) {
      for (const [index, item] of value.items.entries()) {
        visit(item, [...path, index], value);
      }
      for (const { key, value: member } of value.members) {
        visit(member, [...path, textOf(text, key)], value);
      }
    }
  };
  visit(root, []);
  const servers = (memberOf(text, root, 'mcp_servers')?.value?.items ?? []).flatMap(server => {
    const name = memberOf(text, server, 'name')?.value;
    const url = memberText(text, server, 'url') ?? '';
    return name !== undefined && isWritten(name) ? [{ name: textOf(text, name), url, start: name.start, end: name.end }] : [];
  });
  return { references, servers };
}

/** Returns whether a value is a closed string. An unclosed string is still being typed and is not a name yet. */
function isWritten(value: LooseValue | undefined): boolean {
  return value?.kind === 'text' && value.closed;
}

/** Returns the skill that a name belongs to, and the version that is pinned next to it. */
function detailsOf(
  text: string,
  kind: ReferenceKind,
  holder: LooseValue | undefined,
): Pick<AgentReferenceText, 'source' | 'skillId' | 'version'> {
  if (kind === 'skill' || kind === 'skillVersion') {
    return { source: memberText(text, holder, 'type'), skillId: memberText(text, holder, 'skill_id') };
  }
  const version = kind === 'agent' ? memberOf(text, holder, 'version')?.value : undefined;
  const value = version?.kind === 'word' ? Number(textOf(text, version)) : Number.NaN;
  return version === undefined || !Number.isSafeInteger(value) ? {} : { version: { value, start: version.start, end: version.end } };
}

/**
 * Returns the completion range at an offset. `undefined` if the offset is not at a name, or is in a string that was left open on an earlier
 * line. The range never extends beyond the end of its line.
 */
export function completionTargetAt(text: string, offset: number): CompletionTarget | undefined {
  const { kind: position, path, containers, start, end, token, commaBefore, commaAfter } = findCursor(text, offset);
  const holder = containers.at(-1);
  const kind = position === 'value' && token?.kind !== 'object' && token?.kind !== 'array' ? kindOf(text, path, holder) : undefined;
  if (kind === undefined || /[\r\n]/.test(text.slice(start, offset))) {
    return undefined;
  }
  const lineEnd = text.slice(offset).search(/[\r\n]/);
  return {
    kind,
    start,
    end: Math.min(end, lineEnd < 0 ? text.length : offset + lineEnd),
    commaBefore,
    commaAfter,
    ...detailsOf(text, kind, holder),
  };
}

/** Kinds of the names in a document, by their paths. */
const kindsByPath: Readonly<Record<string, ReferenceKind>> = {
  model: 'model',
  'model.id': 'model',
  'multiagent.agents.*.model': 'model',
  'skills.*.skill_id': 'skill',
  'skills.*.version': 'skillVersion',
  'tools.*.mcp_server_name': 'server',
  'multiagent.agents.*': 'agent',
  'multiagent.agents.*.id': 'agent',
  'multiagent.subagents.predefined_agents.*': 'agent',
  'multiagent.subagents.predefined_agents.*.id': 'agent',
  'multiagent.workflows.predefined_agents.*': 'agent',
  'multiagent.workflows.predefined_agents.*.id': 'agent',
};

function kindOf(text: string, path: Path, holder: LooseValue | undefined): ReferenceKind | undefined {
  const kind = ownValue(kindsByPath, path.map(step => (typeof step === 'number' ? '*' : step)).join('.'));
  const isOther = kind === 'agent' && path.at(-1) === 'id' && (memberText(text, holder, 'type') ?? 'agent') !== 'agent';
  return isOther ? undefined : kind;
}
