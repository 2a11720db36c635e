import * as vscode from 'vscode';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';

const resourceScheme = 'managed-agents-resource';
export const agentScheme = 'managed-agents-agent';
const newAgents = '~new';

/** Content that a document shows. */
export type ResourceLocation =
  /** Editable definition of a resource: its draft, or its state on the service if there is no draft. */
  | { readonly view: 'edit'; readonly reference: Reference }
  /** Editable definition of a resource that the service does not have yet. */
  | { readonly view: 'new'; readonly connection: string; readonly kind: string; readonly draftId: string }
  /** Read-only view of a resource: its JSON, its page, or its content. */
  | { readonly view: 'json' | 'page' | 'content'; readonly reference: Reference };

/** Returns the URI of a document. `fileName` is the label of its tab. */
export function toResourceUri(location: ResourceLocation, fileName: string): vscode.Uri {
  const { connection, kind } = location.view === 'new' ? location : location.reference;
  const isAgent = kind === 'agent' || kind === 'agentVersion';
  const file = toLabel(fileName, 100).replace(/[^\p{L}\p{N}_. ()-]/gu, '_');
  const names = isAgent
    ? agentNames(location)
    : [location.view, ...(location.view === 'new' ? [kind, location.draftId] : chainOf(location.reference))];
  const path = [connection, ...names, file].map(part => part.replace(/[%/]/g, encodeURIComponent)).join('/');
  return vscode.Uri.from({ scheme: isAgent ? agentScheme : resourceScheme, path: `/${path}` });
}

function agentNames(location: ResourceLocation): readonly string[] {
  if (location.view === 'new') {
    return [newAgents, location.draftId];
  }
  const { id, parent } = location.reference;
  return parent === undefined ? [id] : [parent.id, id];
}

/**
 * Returns the URI of the same document with the path of a file, so that a diff of both shows one file name. The query identifies the
 * document.
 */
export function besideFile(document: vscode.Uri, file: vscode.Uri): vscode.Uri {
  return document.with({ path: file.path, query: document.path });
}

/** Parses the URI of a document. Returns `undefined` for any other URI. */
export function parseResourceUri(uri: vscode.Uri): ResourceLocation | undefined {
  if (uri.scheme === agentScheme) {
    return parseAgentPath(uri.path.split('/').slice(1, -1).map(decode));
  }
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

function parseAgentPath([connection = '', id = '', version]: readonly string[]): ResourceLocation | undefined {
  if (id === newAgents) {
    return version === undefined ? undefined : { view: 'new', connection, kind: 'agent', draftId: version };
  }
  const agent = { connection, kind: 'agent', id };
  if (version === undefined) {
    return { view: 'edit', reference: agent };
  }
  return /^[1-9]\d{0,14}$/.test(version)
    ? { view: 'edit', reference: { connection, kind: 'agentVersion', id: version, parent: agent } }
    : undefined;
}

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

/** Decodes a percent-encoded part of a path. Returns it unchanged if its encoding is invalid. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
