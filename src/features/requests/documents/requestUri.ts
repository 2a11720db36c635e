import * as vscode from 'vscode';
import { toLabel } from '../../../shared/text';
import { toFileName } from './requestFile';

/** Scheme of the documents of single requests. */
export const requestScheme = 'managed-agents-request';

/**
 * Kind of a request document: a whole request, or bare message params. Each kind has its own schema, which VS Code selects by the end of
 * the file name.
 */
export type EditedKind = 'request' | 'params';

/**
 * Returns the URI of document `id`. The id is in the query, which VS Code does not show. The tab shows `name`, and the breadcrumbs show the
 * name of the source.
 */
export function toRequestUri(id: string, source: vscode.Uri, name: string, kind: EditedKind): vscode.Uri {
  const path = `/${toPart(toFileName(source))}/${toPart(name)}.${kind}.json`;
  return vscode.Uri.from({ scheme: requestScheme, path, query: id });
}

/** Returns the id in a URI, or `undefined` if it is not the URI of a request document. */
export function parseRequestUri(uri: vscode.Uri): string | undefined {
  return uri.scheme === requestScheme ? /^[\w-]+$/.exec(uri.query)?.[0] : undefined;
}

function toPart(name: string): string {
  return toLabel(name, 60)
    .replace(/[^\p{L}\p{N}_. ()-]/gu, '_')
    .replace(/^\.*$/, 'request');
}
