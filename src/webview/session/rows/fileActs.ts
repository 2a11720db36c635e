import { fileCallOf, isFileTool } from '../../../shared/session/fileChange';
import type { Part, Row } from '../../../shared/session/rows/rows';

/** Actions on the file that a row is about. */
export interface FileActs {
  readonly hasChange: boolean;
  readonly hasFile: boolean;
}

const none: FileActs = { hasChange: false, hasFile: false };

/** Returns the actions on a row's file. If the arguments are cut, decides by the tool, because the host has them whole. */
export function fileActsOf(row: Row): FileActs {
  // A malformed row must not break the others.
  const input = row.kind === 'tool' && isFileTool(row.name) ? (row.input as Part | undefined) : undefined;
  if (row.kind !== 'tool' || input?.type !== 'json') {
    return none;
  }
  if (input.cut !== undefined) {
    return { hasChange: row.name.toLowerCase() !== 'read', hasFile: true };
  }
  const call = fileCallOf(row.name, input.text);
  return call === undefined ? none : { hasChange: call.change !== undefined, hasFile: true };
}
