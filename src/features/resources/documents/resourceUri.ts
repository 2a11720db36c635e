import * as vscode from 'vscode';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';

/** Scheme of the documents of things of the service. */
export const resourceScheme = 'managed-agents-resource';

/** What a document shows. */
export type ResourcePlace =
  /** The thing as it shall become: its draft, or what the service has while there is none. Can be edited. */
  | { readonly view: 'edit'; readonly reference: Reference }
  /** A thing that the service does not have yet. Can be edited. */
  | { readonly view: 'new'; readonly connection: string; readonly kind: string; readonly draftId: string }
  /** The thing as the service tells it, as a page, or what it holds. */
  | { readonly view: 'json' | 'page' | 'content'; readonly reference: Reference };

/** The address of a document; `fileName` is what its tab shows. */
export function toResourceUri(place: ResourcePlace, fileName: string): vscode.Uri {
  const [connection, names] =
    place.view === 'new' ? [place.connection, [place.kind, place.draftId]] : [place.reference.connection, chainOf(place.reference)];
  const file = toLabel(fileName, 100).replace(/[^\p{L}\p{N}_. ()-]/gu, '_');
  const path = [connection, place.view, ...names, file].map(part => part.replace(/[%/]/g, encodeURIComponent)).join('/');
  return vscode.Uri.from({ scheme: resourceScheme, path: `/${path}` });
}

/** The address of the same document under the path of a file, so that a comparison with that file takes both for one: what it shows stands in the query. */
export function besideFile(document: vscode.Uri, file: vscode.Uri): vscode.Uri {
  return document.with({ path: file.path, query: document.path });
}

/** What a document shows; undefined when the address is not one of ours. */
export function parseResourceUri(uri: vscode.Uri): ResourcePlace | undefined {
  if (uri.scheme !== resourceScheme) {
    return undefined;
  }
  const [connection = '', view = '', ...rest] = (uri.query || uri.path).split('/').slice(1).map(decode);
  const names = rest.slice(0, -1);
  if (view === 'new' && names.length === 2) {
    const [kind = '', draftId = ''] = names;
    return { view, connection, kind, draftId };
  }
  const reference = referenceOf(connection, names);
  const known = (['edit', 'json', 'page', 'content'] as const).find(one => one === view);
  return known === undefined || reference === undefined ? undefined : { view: known, reference };
}

/** Kind and id, then those of what it stands below. */
function chainOf({ kind, id, parent }: Reference): readonly string[] {
  return [kind, id, ...(parent === undefined ? [] : chainOf(parent))];
}

function referenceOf(connection: string, names: readonly string[]): Reference | undefined {
  const [kind, id, ...rest] = names;
  if (kind === undefined || id === undefined) {
    return undefined;
  }
  const parent = rest.length === 0 ? undefined : referenceOf(connection, rest);
  return rest.length > 0 && parent === undefined ? undefined : { connection, kind, id, ...(parent === undefined ? {} : { parent }) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
