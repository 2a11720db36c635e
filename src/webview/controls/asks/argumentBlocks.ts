import { jsonOf } from '../../../shared/jsonOf';
import { type Fields, objectOf } from '../../../shared/session/eventFields';
import { fileChangeOf, textArgument } from '../../../shared/session/fileChange';
import { type DiffLine, diffLines } from '../code/diffLines';

/** One readable block of a tool's arguments. Together the blocks show all arguments. */
export type ArgumentBlock =
  | { readonly type: 'command'; readonly text: string }
  | { readonly type: 'content'; readonly path: string; readonly text: string }
  | { readonly type: 'diff'; readonly path: string; readonly lines: readonly DiffLine[] }
  | { readonly type: 'json'; readonly text: string };

/** Maximum length of arguments that are shown as blocks, in characters. Longer arguments are shown as raw JSON. */
const longest = 1_000_000;
const maxDiffLines = 5000;

/**
 * Divides the arguments of a call, given as JSON, into a command, a file's content or a change, and the rest. JSON that doesn't survive a
 * round trip (long numbers, duplicate keys) is left unchanged, so that nothing is lost.
 */
export function toArgumentBlocks(tool: string, json: string): readonly ArgumentBlock[] {
  const whole: readonly ArgumentBlock[] = [{ type: 'json', text: json }];
  const fields = json.length > longest ? undefined : readFields(json);
  if (fields === undefined) {
    return whole;
  }
  const block = toBlock(tool.toLowerCase(), fields);
  if (block === undefined) {
    return whole;
  }
  const rest = Object.entries(fields).filter(([name]) => !block.shown.includes(name));
  return [block.block, ...(rest.length === 0 ? [] : [{ type: 'json' as const, text: JSON.stringify(Object.fromEntries(rest), null, 2) }])];
}

function toBlock(tool: string, fields: Fields): { readonly block: ArgumentBlock; readonly shown: readonly string[] } | undefined {
  if (tool === 'bash') {
    const command = textArgument(fields, 'command');
    return command && { block: { type: 'command', text: command[1] }, shown: [command[0]] };
  }
  const change = fileChangeOf(tool, fields);
  if (change === undefined) {
    return undefined;
  }
  const { type, path, before, after, names } = change;
  if (type === 'write') {
    return { block: { type: 'content', path, text: after }, shown: names };
  }
  const lines = diffLines(before, after);
  return lines.length > maxDiffLines ? undefined : { block: { type: 'diff', path, lines }, shown: names };
}

function readFields(json: string): Fields | undefined {
  const value = jsonOf(json);
  return JSON.stringify(value, null, 2) === json || JSON.stringify(value) === json ? objectOf(value) : undefined;
}
