import { jsonOf } from '../jsonOf';
import { type Fields, objectOf } from './eventFields';

/** A change to a file, as stated by the arguments of a call. The model can state anything, and the file may not exist. */
export interface FileChange {
  readonly type: 'write' | 'edit';
  readonly path: string;
  /** Removed and added text: pieces of the file for an edit, '' and the whole file for a write. */
  readonly before: string;
  readonly after: string;
  readonly names: readonly string[];
}

/** Returns the first text argument of a call with one of `names`, and the argument's name. */
export function textArgument(fields: Fields, ...names: readonly string[]): readonly [name: string, text: string] | undefined {
  const name = names.find(each => typeof fields[each] === 'string');
  return name === undefined ? undefined : [name, String(fields[name])];
}

/** Returns whether a tool of this name reads, writes or edits one file (`read`, `write`, `edit` of the agent toolset). */
export function isFileTool(tool: string): boolean {
  return /^(?:read|write|edit)$/i.test(tool);
}

export interface FileCall {
  readonly path: string;
  readonly change: FileChange | undefined;
}

/** Parses the JSON arguments of a file tool. Returns `undefined` for other tools, and if the arguments contain no file. */
export function fileCallOf(tool: string, json: string): FileCall | undefined {
  const fields = isFileTool(tool) ? objectOf(jsonOf(json)) : undefined;
  const path = fields && textArgument(fields, 'file_path', 'path');
  return path && { path: path[1], change: fileChangeOf(tool, fields) };
}

/** Returns the change that a `write` or `edit` call makes, or `undefined` if the arguments don't contain a change. */
export function fileChangeOf(tool: string, fields: Fields): FileChange | undefined {
  const path = isFileTool(tool) ? textArgument(fields, 'file_path', 'path') : undefined;
  const type = tool.toLowerCase();
  if (path === undefined) {
    return undefined;
  }
  if (type === 'write') {
    const content = textArgument(fields, 'content', 'file_text');
    return content && { type, path: path[1], before: '', after: content[1], names: [path[0], content[0]] };
  }
  const [before, after] = [textArgument(fields, 'old_string', 'old_str'), textArgument(fields, 'new_string', 'new_str')];
  return type !== 'edit' || before === undefined || after === undefined
    ? undefined
    : { type, path: path[1], before: before[1], after: after[1], names: [path[0], before[0], after[0]] };
}
