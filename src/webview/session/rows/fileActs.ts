import { fileCallOf, isFileTool } from '../../../shared/session/fileChange';
import type { Part, Row } from '../../../shared/session/rows/rows';

/** What can be opened of the file that a row is about. */
export interface FileActs {
  readonly hasChange: boolean;
  readonly hasFile: boolean;
}

const none: FileActs = { hasChange: false, hasFile: false };

/** What of a file can be opened from a row. Of arguments that are not whole here it is thought from the tool: the host has them whole. */
export function fileActsOf(row: Row): FileActs {
  // A row that is not as it should be must not take the others with it.
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
