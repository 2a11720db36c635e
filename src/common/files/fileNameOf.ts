import path from 'node:path';
import type { Uri } from 'vscode';

export function fileNameOf(uri: Pick<Uri, 'path'>): string {
  return path.posix.basename(uri.path);
}
