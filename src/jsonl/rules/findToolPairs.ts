import { asArray, asString, type Finding, fieldOf, found, type Path, type Subject } from './finding';

interface Call {
  readonly path: Path;
  isAnswered: boolean;
}

/**
 * Finds `tool-pairs`: a tool call without exactly one result in the next user turn, a result without a call, or two calls with one id.
 * Consecutive messages of one role are one turn. Calls of the last turn may still get their results.
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
    for (const [place, block] of asArray(fieldOf(message, 'content')).entries()) {
      const path = [...paramsPath, 'messages', index, 'content', place];
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
      const text = 'Missing "tool_result" for this call in the next user message.';
      yield found('tool-pairs', path, text);
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
    const text = 'No "tool_use" with this ID in the assistant message before.';
    yield found('tool-pairs', path, text);
  } else if (call.isAnswered) {
    yield found('tool-pairs', path, 'This call already has a "tool_result".');
  } else {
    call.isAnswered = true;
  }
}
