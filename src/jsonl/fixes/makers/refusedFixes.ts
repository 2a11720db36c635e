import type { Problem } from '../../../contract/problem';
import { lengthOfDataPrefix, typeOfBase64 } from '../../rules/base64Type';
import type { JsonLine } from '../jsonLine';
import { memberOf, removal, replacement } from '../jsonParts';
import { atProblem, type FixMakers, type LineFix, toFix, toOption } from '../lineFix';
import { dropItem, removalFix } from './fieldFixes';

/** Corrects a media type by the bytes of the data, or removes a `data:` prefix from the data. */
export function fixPicture(line: JsonLine, { path }: Problem): LineFix | undefined {
  const target = line.partAt([...path.slice(0, -1), 'data']);
  const type = line.partAt([...path.slice(0, -1), 'media_type'])?.part;
  const data = line.valueOf(target?.part);
  if (target === undefined || type === undefined || typeof data !== 'string') {
    return undefined;
  }
  const { start } = target.part;
  const prefix = lengthOfDataPrefix(data);
  if (path.at(-1) === 'data') {
    const isPlain = prefix > 0 && line.text.startsWith(data.slice(0, prefix), start + 1);
    const edit = isPlain
      ? { start: start + 1, end: start + 1 + prefix, text: '' }
      : replacement(target.part, JSON.stringify(data.slice(prefix)));
    return prefix === 0 ? undefined : toFix('picture-type', 'Remove the "data:" prefix', [edit]);
  }
  const found = typeOfBase64(data.slice(prefix, prefix + 32));
  const statedType = line.valueOf(type);
  return found === undefined || found === statedType || (found === 'application/pdf') !== (statedType === 'application/pdf')
    ? undefined
    : toFix('picture-type', 'Change it to {0}', [replacement(type, JSON.stringify(found))], [found]);
}

function withoutSpace(raw: string): number {
  let end = raw.length - 1;
  while (end > 1) {
    const isEscape = raw[end - 2] === '\\' && 'nrt'.includes(raw[end - 1] ?? ' ') && isEscaping(raw, end - 2);
    if (raw[end - 1] !== ' ' && !isEscape) {
      break;
    }
    end -= isEscape ? 2 : 1;
  }
  return end;
}

/** Returns whether the backslash at `at` starts an escape. This is the case if an even number of backslashes directly precedes it. */
function isEscaping(raw: string, at: number): boolean {
  let first = at;
  while (raw[first - 1] === '\\') {
    first--;
  }
  return (at - first) % 2 === 0;
}

export const refusedMakers: FixMakers = {
  /** Lowers a number to the limit of the model, or removes a speed that the model does not have. */
  'model-limit': atProblem((target, _line, { text }) => {
    const [most] = text.args;
    return typeof most === 'number'
      ? toFix('number-bound', 'Lower to {0}', [replacement(target.part, String(most))], [most])
      : removalFix('drop-speed', target, true);
  }),
  /** Removes a tool call or result, or adds an empty result to a call. */
  'tool-pairs': (line, problem) => {
    const { path } = problem;
    const title = path.at(-1) === 'id' ? 'Remove tool call' : 'Remove tool result';
    const drop = dropItem('tool-pairs', title)(line, problem);
    const messages = path.lastIndexOf('messages');
    const next = line.partAt([...path.slice(0, messages + 1), Number(path[messages + 1]) + 1]);
    const message = next && line.containerAt(next.part.start);
    const role = memberOf(message, 'role');
    const content = memberOf(message, 'content');
    const id = line.partAt(path);
    if (path.at(-1) !== 'id' || id === undefined || role === undefined || line.raw(role) !== '"user"' || content === undefined) {
      return drop;
    }
    const raw = line.raw(content);
    const result = `{"type":"tool_result","tool_use_id":${line.raw(id.part)}}`;
    const first = line.arrayAt(content)?.parts[0];
    const isAnswered = raw.includes(`"tool_use_id":${line.raw(id.part)}`);
    const edit =
      first !== undefined
        ? { start: first.from, end: first.from, text: `${result},` }
        : raw.startsWith('"')
          ? replacement(content, `[${result},{"type":"text","text":${raw}}]`)
          : undefined;
    return [edit !== undefined && !isAnswered && toOption('tool-result', 'Add empty tool result', [edit]), drop];
  },
  'picture-type': fixPicture,
  /** Removes a cache marker, or shortens a `1h` marker after a `5m` marker. Not preferred, because the user decides which one to remove. */
  'cache-markers': atProblem(target =>
    target.part.key === 'ttl'
      ? toOption('cache-markers', 'Change it to {0}', [replacement(target.part, '"5m"')], ['5m'])
      : removalFix('cache-markers', target, false),
  ),
  /** Removes white space at the end of a text. Removes the whole message if the model doesn't continue answers. */
  prefill: (line, problem) => {
    const { path, start } = problem;
    const target = line.partAt(path, start);
    const value = line.valueOf(target?.part);
    if (target === undefined || typeof value !== 'string' || path.at(-1) === 'role') {
      return dropItem('prefill', 'Remove message')(line, problem);
    }
    const raw = line.raw(target.part);
    const end = withoutSpace(raw);
    const edit = { start: target.part.start + end, end: target.part.end - 1, text: '' };
    return end > 1 && toFix('prefill-space', 'Remove trailing whitespace', [edit]);
  },
  'forced-tool-thinking': line => {
    const type = line.inParams('tool_choice', 'type');
    const name = line.inParams('tool_choice', 'name');
    const thinking = line.inParams('thinking');
    const choose = type && [replacement(type.part, '"auto"'), ...(name === undefined ? [] : [removal(name)])];
    return [
      choose && toOption('forced-tool', 'Let the model choose (auto)', choose),
      thinking && removalFix('forced-tool', thinking, false),
    ];
  },
};
