import { closeName } from '../../contract/closeName';
import { asArray, asString, type Finding, fieldOf, found, type Path, type Subject } from './finding';
import type { RuleId } from './ruleTable';

/** Finds `duplicate-tool`, `duplicate-server`, `tool-not-defined` and `server-not-defined`. */
export function* findTools({ params, paramsPath }: Subject): Iterable<Finding> {
  const tools = asArray(params.tools);
  const names = namesOf(tools);
  yield* findDoubled('duplicate-tool', tools, [...paramsPath, 'tools'], 'Another tool has the same name.');
  const type = fieldOf(params.tool_choice, 'type');
  const chosen = type === 'tool' ? asString(fieldOf(params.tool_choice, 'name')) : undefined;
  const path = [...paramsPath, 'tool_choice'];
  if ((type === 'any' || type === 'tool') && tools.length === 0) {
    yield found('tool-not-defined', path, '"tool_choice" forces a tool, but there are no tools.');
  } else if (chosen !== undefined && !names.has(chosen)) {
    yield notDefined('tool-not-defined', [...path, 'name'], chosen, names);
  }
  const servers = namesOf(asArray(params.mcp_servers));
  yield* findDoubled('duplicate-server', asArray(params.mcp_servers), [...paramsPath, 'mcp_servers'], 'Another server has the same name.');
  for (const [index, tool] of tools.entries()) {
    const name = fieldOf(tool, 'type') === 'mcp_toolset' ? asString(fieldOf(tool, 'mcp_server_name')) : undefined;
    if (name !== undefined && !servers.has(name)) {
      yield notDefined('server-not-defined', [...paramsPath, 'tools', index, 'mcp_server_name'], name, servers);
    }
  }
}

function namesOf(items: readonly unknown[]): ReadonlySet<string> {
  return new Set(items.flatMap(item => asString(fieldOf(item, 'name')) ?? []));
}

function* findDoubled(rule: RuleId, items: readonly unknown[], path: Path, text: string): Iterable<Finding> {
  const names = new Set<string | undefined>();
  for (const [index, item] of items.entries()) {
    const name = asString(fieldOf(item, 'name'));
    if (name !== undefined && names.has(name)) {
      yield found(rule, [...path, index, 'name'], text);
    }
    names.add(name);
  }
}

const texts = {
  'tool-not-defined': ['No tool has this name.', 'No tool has this name. Did you mean {0}?'],
  'server-not-defined': ['No server in "mcp_servers" has this name.', 'No server in "mcp_servers" has this name. Did you mean {0}?'],
} as const;

/** Returns the finding of a name that is not in `names`, with the most similar name. */
function notDefined(rule: keyof typeof texts, path: Path, name: string, names: ReadonlySet<string>): Finding {
  const suggestion = closeName(name, names);
  const [text, question] = texts[rule];
  return suggestion === undefined ? found(rule, path, text) : found(rule, path, question, [suggestion], { hint: { suggestion } });
}

interface Call {
  readonly path: Path;
  isAnswered: boolean;
}

/**
 * Finds `tool-pairs`: a tool call without exactly one result in the next user turn, a result without a call, or two calls with one id.
 * Consecutive messages of one role are one turn. Calls of the last turn may get their results later.
 */
export function* findToolPairs({ params, paramsPath }: Subject): Iterable<Finding> {
  const ids = new Set<string | undefined>();
  let calls = new Map<string, Call>();
  let turn: unknown;
  for (const [index, message] of asArray(params.messages).entries()) {
    const role = fieldOf(message, 'role');
    if (role !== 'user' && role !== 'assistant') {
      continue;
    }
    if (role === 'assistant' && turn !== role) {
      yield* unanswered(calls);
      calls = new Map();
    }
    turn = role;
    for (const [position, block] of asArray(fieldOf(message, 'content')).entries()) {
      const path = [...paramsPath, 'messages', index, 'content', position];
      const type = fieldOf(block, 'type');
      const id = type === 'tool_use' ? asString(fieldOf(block, 'id')) : undefined;
      if (id !== undefined && ids.has(id)) {
        yield found('tool-pairs', [...path, 'id'], 'Another "tool_use" has the same ID.');
      }
      if (id !== undefined && role === 'assistant' && !calls.has(id)) {
        calls.set(id, { path: [...path, 'id'], isAnswered: false });
      }
      ids.add(id);
      const answered = type === 'tool_result' ? asString(fieldOf(block, 'tool_use_id')) : undefined;
      const call = role === 'user' && answered !== undefined ? calls.get(answered) : undefined;
      if (answered !== undefined && call?.isAnswered !== false) {
        const text =
          call === undefined ? 'No "tool_use" with this ID in the previous assistant message.' : 'This call already has a "tool_result".';
        yield found('tool-pairs', [...path, 'tool_use_id'], text);
      } else if (call !== undefined) {
        call.isAnswered = true;
      }
    }
  }
  if (turn === 'user') {
    yield* unanswered(calls);
  }
}

function unanswered(calls: ReadonlyMap<string, Call>): readonly Finding[] {
  const open = [...calls.values()].filter(({ isAnswered }) => !isAnswered);
  return open.map(({ path }) => found('tool-pairs', path, 'Missing "tool_result" for this call in the next user message.'));
}
