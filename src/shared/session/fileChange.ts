/** A change to a file, as stated by the arguments of a call. The model can state anything, and the file may not exist. */
export interface FileChange {
  readonly type: 'write' | 'edit';
  readonly path: string;
  /** Removed and added text: pieces of the file for an edit, '' and the whole file for a write. */
  readonly before: string;
  readonly after: string;
  readonly names: readonly string[];
}

/** Returns the first text argument of a call that has one of these names, with its name. */
export type TextArgument = (...names: readonly string[]) => readonly [name: string, text: string] | undefined;

const fileTools: ReadonlySet<string> = new Set(['read', 'write', 'edit']);

/** Returns a reader of text arguments. */
export function textArgumentOf(fields: ReadonlyMap<string, unknown>): TextArgument {
  return (...names) => {
    const name = names.find(each => typeof fields.get(each) === 'string');
    return name === undefined ? undefined : [name, String(fields.get(name))];
  };
}

/** Returns whether a tool of this name reads, writes or edits one file (`read`, `write`, `edit` of the agent toolset). */
export function isFileTool(tool: string): boolean {
  return fileTools.has(tool.toLowerCase());
}

export interface FileCall {
  readonly path: string;
  readonly change: FileChange | undefined;
}

/** Parses the JSON arguments of a file tool. Returns `undefined` if they name no file, or for other tools. */
export function fileCallOf(tool: string, json: string): FileCall | undefined {
  const value = isFileTool(tool) ? toValue(json) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return undefined;
  }
  const textArgument = textArgumentOf(new Map(Object.entries(value)));
  const path = pathOf(textArgument);
  return path && { path: path[1], change: fileChangeOf(tool, textArgument) };
}

function toValue(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function pathOf(textArgument: TextArgument): ReturnType<TextArgument> {
  return textArgument('file_path', 'path');
}

/** Returns the change that a `write` or `edit` call makes; `undefined` if its arguments don't contain one. */
export function fileChangeOf(tool: string, textArgument: TextArgument): FileChange | undefined {
  const path = isFileTool(tool) ? pathOf(textArgument) : undefined;
  const type = tool.toLowerCase();
  if (path === undefined) {
    return undefined;
  }
  if (type === 'write') {
    const content = textArgument('content', 'file_text');
    return content && { type, path: path[1], before: '', after: content[1], names: [path[0], content[0]] };
  }
  const [before, after] = [textArgument('old_string', 'old_str'), textArgument('new_string', 'new_str')];
  return type !== 'edit' || before === undefined || after === undefined
    ? undefined
    : { type, path: path[1], before: before[1], after: after[1], names: [path[0], before[0], after[0]] };
}
