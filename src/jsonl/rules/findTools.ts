import { closeName } from '../../contract/closeName';
import { asArray, asString, type Finding, fieldOf, found, type Path, type Subject } from './finding';

/**
 * Finds `duplicate-tool`, `duplicate-server`, `tool-not-defined` and `server-not-defined`: names that don't match exactly one definition.
 */
export function* findTools(subject: Subject): Iterable<Finding> {
  const { params, paramsPath } = subject;
  const tools = asArray(params.tools);
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const name = asString(fieldOf(tool, 'name'));
    if (name !== undefined && names.has(name)) {
      yield found('duplicate-tool', [...paramsPath, 'tools', index, 'name'], 'Another tool has the same name.');
    } else if (name !== undefined) {
      names.add(name);
    }
  }
  yield* findChoice(subject, tools, names);
  yield* findServers(subject, tools);
}

function* findChoice({ params, paramsPath }: Subject, tools: readonly unknown[], names: ReadonlySet<string>): Iterable<Finding> {
  const type = fieldOf(params.tool_choice, 'type');
  const name = asString(fieldOf(params.tool_choice, 'name'));
  const path = [...paramsPath, 'tool_choice'];
  if ((type === 'any' || type === 'tool') && tools.length === 0) {
    yield found('tool-not-defined', path, '"tool_choice" forces a tool, but there are no tools.');
  } else if (type === 'tool' && name !== undefined && !names.has(name)) {
    const suggestion = closeName(name, names);
    yield suggestion === undefined
      ? found('tool-not-defined', [...path, 'name'], 'No tool has this name.')
      : found('tool-not-defined', [...path, 'name'], 'No tool has this name. Did you mean {0}?', [suggestion], { hint: { suggestion } });
  }
}

function* findServers({ params, paramsPath }: Subject, tools: readonly unknown[]): Iterable<Finding> {
  const servers = new Set<string>();
  for (const [index, server] of asArray(params.mcp_servers).entries()) {
    const name = asString(fieldOf(server, 'name'));
    if (name !== undefined && servers.has(name)) {
      yield found('duplicate-server', [...paramsPath, 'mcp_servers', index, 'name'], 'Another server has the same name.');
    } else if (name !== undefined) {
      servers.add(name);
    }
  }
  for (const [index, tool] of tools.entries()) {
    const name = fieldOf(tool, 'type') === 'mcp_toolset' ? asString(fieldOf(tool, 'mcp_server_name')) : undefined;
    if (name !== undefined && !servers.has(name)) {
      const suggestion = closeName(name, servers);
      const path = [...paramsPath, 'tools', index, 'mcp_server_name'];
      yield suggestion === undefined
        ? found('server-not-defined', path, 'No server in "mcp_servers" has this name.')
        : found('server-not-defined', path, 'No server in "mcp_servers" has this name. Did you mean {0}?', [suggestion], {
            hint: { suggestion },
          });
    }
  }
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
  const ids = new Set<string>();
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
      if (id !== undefined) {
        yield* taken(ids, id, [...path, 'id']);
        if (role === 'assistant' && !calls.has(id)) {
          calls.set(id, { path: [...path, 'id'], isAnswered: false });
        }
      }
      const answered = type === 'tool_result' ? asString(fieldOf(block, 'tool_use_id')) : undefined;
      if (answered !== undefined) {
        yield* answer(role === 'user' ? calls.get(answered) : undefined, [...path, 'tool_use_id']);
      }
    }
  }
  if (turn === 'user') {
    yield* unanswered(calls);
  }
}

function* unanswered(calls: ReadonlyMap<string, Call>): Iterable<Finding> {
  for (const { path, isAnswered } of calls.values()) {
    if (!isAnswered) {
      yield found('tool-pairs', path, 'Missing "tool_result" for this call in the next user message.');
    }
  }
}

function* taken(ids: Set<string>, id: string, path: Path): Iterable<Finding> {
  if (ids.has(id)) {
    yield found('tool-pairs', path, 'Another "tool_use" has the same ID.');
  }
  ids.add(id);
}

function* answer(call: Call | undefined, path: Path): Iterable<Finding> {
  if (call === undefined) {
    yield found('tool-pairs', path, 'No "tool_use" with this ID in the assistant message before.');
  } else if (call.isAnswered) {
    yield found('tool-pairs', path, 'This call already has a "tool_result".');
  } else {
    call.isAnswered = true;
  }
}
