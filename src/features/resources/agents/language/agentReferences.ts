import { findCursor, type Path } from '../../../../jsonl/guide/cursorPosition';
import { type LooseValue, memberOf, memberText, parseLoose, textOf } from '../../../../jsonl/guide/looseJson';

/** Kind of a name in an agent document. All but servers are on the service (API facts, section 10). */
export type ReferenceKind = 'model' | 'skill' | 'skillVersion' | 'agent' | 'server';

/** Name in an agent document. `start` and `end` are offsets that include the quotation marks. */
export interface AgentReferenceText {
  readonly kind: ReferenceKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Source of a skill, also on its version: `custom`, or the name of a vendor. */
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

/** Parses the names in an agent document. Reads a broken document as far as possible and never throws. */
export function readReferences(text: string): AgentReferences {
  const root = parseLoose(text);
  return {
    references: [...readModel(text, root), ...readTools(text, root), ...readSkills(text, root), ...readRoster(text, root)],
    servers: itemsOf(text, root, 'mcp_servers').flatMap(server => {
      const name = textAt(text, server, 'name');
      return name === undefined
        ? []
        : [{ name: textOf(text, name), url: memberText(text, server, 'url') ?? '', start: name.start, end: name.end }];
    }),
  };
}

/**
 * Returns the completion range at an offset. `undefined` if nothing is named there, or in a string left open on an earlier line. The range
 * never extends beyond the end of its line.
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
    ...(kind === 'skill' || kind === 'skillVersion'
      ? { source: memberText(text, holder, 'type'), skillId: memberText(text, holder, 'skill_id') }
      : {}),
  };
}

function kindOf(text: string, path: Path, holder: LooseValue | undefined): ReferenceKind | undefined {
  switch (path.map(step => (typeof step === 'number' ? '*' : step)).join('.')) {
    case 'model':
    case 'model.id':
      return 'model';
    case 'multiagent.agents.*.model':
      return 'model';
    case 'skills.*.skill_id':
      return 'skill';
    case 'skills.*.version':
      return 'skillVersion';
    case 'tools.*.mcp_server_name':
      return 'server';
    case 'multiagent.agents.*':
    case 'multiagent.subagents.predefined_agents.*':
    case 'multiagent.workflows.predefined_agents.*':
      return 'agent';
    case 'multiagent.agents.*.id':
    case 'multiagent.subagents.predefined_agents.*.id':
    case 'multiagent.workflows.predefined_agents.*.id':
      return (memberText(text, holder, 'type') ?? 'agent') === 'agent' ? 'agent' : undefined;
    default:
      return undefined;
  }
}

function readModel(text: string, root: LooseValue | undefined): AgentReferenceText[] {
  const model = memberOf(text, root, 'model')?.value;
  return toReference(text, 'model', model?.kind === 'object' ? textAt(text, model, 'id') : model);
}

function readTools(text: string, root: LooseValue | undefined): AgentReferenceText[] {
  return itemsOf(text, root, 'tools').flatMap(tool => toReference(text, 'server', textAt(text, tool, 'mcp_server_name')));
}

function readSkills(text: string, root: LooseValue | undefined): AgentReferenceText[] {
  return itemsOf(text, root, 'skills').flatMap(skill => {
    const source = memberText(text, skill, 'type');
    const skillId = memberText(text, skill, 'skill_id');
    return [
      ...toReference(text, 'skill', textAt(text, skill, 'skill_id'), { source }),
      ...toReference(text, 'skillVersion', textAt(text, skill, 'version'), { source, skillId }),
    ];
  });
}

function readRoster(text: string, root: LooseValue | undefined): AgentReferenceText[] {
  const multiagent = memberOf(text, root, 'multiagent')?.value;
  const predefined = ['subagents', 'workflows'].flatMap(name =>
    itemsOf(text, memberOf(text, multiagent, name)?.value, 'predefined_agents'),
  );
  return [...itemsOf(text, multiagent, 'agents'), ...predefined].flatMap(entry => {
    if (entry.kind !== 'object') {
      return toReference(text, 'agent', entry);
    }
    if ((memberText(text, entry, 'type') ?? 'agent') !== 'agent') {
      return toReference(text, 'model', textAt(text, entry, 'model'));
    }
    const version = memberOf(text, entry, 'version')?.value;
    const value = version?.kind === 'word' ? Number(textOf(text, version)) : Number.NaN;
    const pinned =
      version === undefined || !Number.isSafeInteger(value) ? {} : { version: { value, start: version.start, end: version.end } };
    return toReference(text, 'agent', textAt(text, entry, 'id'), pinned);
  });
}

function itemsOf(text: string, object: LooseValue | undefined, name: string): readonly LooseValue[] {
  return memberOf(text, object, name)?.value?.items ?? [];
}

/** Returns a member if it is a closed string: a string that is still being typed names nothing yet. */
function textAt(text: string, object: LooseValue, name: string): LooseValue | undefined {
  const value = memberOf(text, object, name)?.value;
  return value?.kind === 'text' && value.closed ? value : undefined;
}

function toReference(
  text: string,
  kind: ReferenceKind,
  value: LooseValue | undefined,
  rest: Pick<AgentReferenceText, 'source' | 'skillId' | 'version'> = {},
): AgentReferenceText[] {
  return value?.kind === 'text' && value.closed ? [{ kind, text: textOf(text, value), start: value.start, end: value.end, ...rest }] : [];
}
