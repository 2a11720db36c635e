import * as vscode from 'vscode';
import { toLabel } from '../../../common/text';

/** Scheme of the documents of single requests. */
export const requestScheme = 'managed-agents-request';

/** A whole request, or bare message params: each has a schema of its own, which VS Code finds by the end of the name. */
export type EditedKind = 'request' | 'params';

/** The address of the document `id`; `name` is what its tab shows. */
export function toRequestUri(id: string, name: string, kind: EditedKind): vscode.Uri {
  const file = toLabel(name, 60).replace(/[^\p{L}\p{N}_. ()-]/gu, '_') || 'request';
  return vscode.Uri.from({ scheme: requestScheme, path: `/${id}/${file}.${kind}.json` });
}

/** The id in an address; undefined when it is not one of ours. */
export function parseRequestUri(uri: vscode.Uri): string | undefined {
  return uri.scheme === requestScheme ? /^\/([\w-]+)\/[^/]+$/.exec(uri.path)?.[1] : undefined;
}
