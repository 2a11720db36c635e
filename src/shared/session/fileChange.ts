/** What a call does to a file, as its arguments say it: all of it comes from a model, and the file may be anywhere or nowhere. */
export interface FileChange {
  readonly type: 'write' | 'edit';
  readonly path: string;
  /** What is taken out, and what is put in: of an edit pieces of the file, of a write nothing and the whole of it. */
  readonly before: string;
  readonly after: string;
  /** Names of the arguments that this is. */
  readonly names: readonly string[];
}

/** The text argument of a call that has one of these names, the first before the others, with its name. */
export type TextArgument = (...names: readonly string[]) => readonly [name: string, text: string] | undefined;

const fileTools: ReadonlySet<string> = new Set(['read', 'write', 'edit']);

/** Finds text among the arguments of a call. */
export function textArgumentOf(fields: ReadonlyMap<string, unknown>): TextArgument {
  return (...names) => {
    const name = names.find(each => typeof fields.get(each) === 'string');
    return name === undefined ? undefined : [name, String(fields.get(name))];
  };
}

/** Whether a tool of this name reads, writes or edits one file (`read`, `write`, `edit` of the agent toolset). */
export function isFileTool(tool: string): boolean {
  return fileTools.has(tool.toLowerCase());
}

/** What a call of a file tool is about. */
export interface FileCall {
  readonly path: string;
  readonly change: FileChange | undefined;
}

/** Reads the arguments of a call, which are JSON; undefined where they name no file, or the tool is none for files. */
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

/** The change that a call of `write` or `edit` makes; undefined where its arguments do not say one. */
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
