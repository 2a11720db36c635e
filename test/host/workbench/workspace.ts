import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface WorkspaceFiles {
  /** Folder whose contents are copied into the workspace. */
  readonly workspace?: string;
  /** Further files of the workspace, by relative path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** Creates a folder with these files. */
export function createWorkspace({ workspace, files = {} }: WorkspaceFiles): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'managed-agents-workspace-'));
  if (workspace !== undefined) {
    cpSync(workspace, folder, { recursive: true });
  }
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), contents);
  }
  return folder;
}
