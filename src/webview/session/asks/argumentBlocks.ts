import { type DiffLine, diffLines } from './diffLines';

/** Arguments of a tool as a person reads them. Together the blocks show all of the arguments. */
export type ArgumentBlock =
  | { readonly type: 'command'; readonly text: string }
  | { readonly type: 'content'; readonly path: string; readonly text: string }
  | { readonly type: 'diff'; readonly path: string; readonly lines: readonly DiffLine[] }
  | { readonly type: 'json'; readonly text: string };

/** Longer ones are shown as the JSON they are. */
const longest = 1_000_000;
const mostDiffLines = 5000;

/**
 * Divides the arguments of a call, given as JSON, into a command, a file's content or a change, and the rest. Only where that
 * loses nothing: JSON that does not come back the same (long numbers, keys given twice) stays as it is.
 */
export function toArgumentBlocks(tool: string, json: string): readonly ArgumentBlock[] {
  const whole: readonly ArgumentBlock[] = [{ type: 'json', text: json }];
  const fields = json.length > longest ? undefined : readFields(json);
  if (fields === undefined) {
    return whole;
  }
  const word = (...names: readonly string[]): readonly [name: string, text: string] | undefined => {
    for (const name of names) {
      const value = fields.get(name);
      if (typeof value === 'string') {
        return [name, value];
      }
    }
    return undefined;
  };
  const block = toBlock(tool.toLowerCase(), word);
  if (block === undefined) {
    return whole;
  }
  const rest = [...fields].filter(([name]) => !block.shown.includes(name));
  return [block.block, ...(rest.length === 0 ? [] : [{ type: 'json' as const, text: JSON.stringify(Object.fromEntries(rest), null, 2) }])];
}

type Word = (...names: readonly string[]) => readonly [name: string, text: string] | undefined;

function toBlock(tool: string, word: Word): { readonly block: ArgumentBlock; readonly shown: readonly string[] } | undefined {
  const path = word('file_path', 'path');
  switch (tool) {
    case 'bash': {
      const command = word('command');
      return command === undefined ? undefined : { block: { type: 'command', text: command[1] }, shown: [command[0]] };
    }
    case 'write': {
      const content = word('content', 'file_text');
      return path === undefined || content === undefined
        ? undefined
        : { block: { type: 'content', path: path[1], text: content[1] }, shown: [path[0], content[0]] };
    }
    case 'edit': {
      const before = word('old_string', 'old_str');
      const after = word('new_string', 'new_str');
      if (path === undefined || before === undefined || after === undefined) {
        return undefined;
      }
      const lines = diffLines(before[1], after[1]);
      return lines.length > mostDiffLines
        ? undefined
        : { block: { type: 'diff', path: path[1], lines }, shown: [path[0], before[0], after[0]] };
    }
    default:
      return undefined;
  }
}

function readFields(json: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isSame = JSON.stringify(value, null, 2) === json || JSON.stringify(value) === json;
    return isSame && typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
