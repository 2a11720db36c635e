import * as vscode from 'vscode';
import { toLabel } from '../../../shared/text';
import { toFileName } from './requestFile';

/** Scheme of the documents of single requests. */
export const requestScheme = 'managed-agents-request';

/** A whole request, or bare message params: each has a schema of its own, which VS Code finds by the end of the name. */
export type EditedKind = 'request' | 'params';

/** The address of the document `id`, which stands where nobody sees it; its tab shows `name`, and its breadcrumbs the name of the source. */
export function toRequestUri(id: string, source: vscode.Uri, name: string, kind: EditedKind): vscode.Uri {
  const path = `/${toPart(toFileName(source))}/${toPart(name)}.${kind}.json`;
  return vscode.Uri.from({ scheme: requestScheme, path, query: id });
}

/** The id in an address; undefined when it is not one of ours. */
export function parseRequestUri(uri: vscode.Uri): string | undefined {
  return uri.scheme === requestScheme ? /^[\w-]+$/.exec(uri.query)?.[0] : undefined;
}

function toPart(name: string): string {
  return toLabel(name, 60)
    .replace(/[^\p{L}\p{N}_. ()-]/gu, '_')
    .replace(/^\.*$/, 'request');
}
