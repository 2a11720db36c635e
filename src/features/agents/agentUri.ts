import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';

/** Scheme of the documents of agents. */
export const agentScheme = 'managed-agents-agent';

/** What a document of an agent shows. */
export type AgentPlace =
  /** The agent as it shall become: its draft, or its latest version while there is none. Can be edited. */
  | { readonly kind: 'agent'; readonly connection: string; readonly agentId: string }
  /** One version, for reading. */
  | { readonly kind: 'version'; readonly connection: string; readonly agentId: string; readonly version: number }
  /** An agent that the service does not have yet. Can be edited. */
  | { readonly kind: 'new'; readonly connection: string; readonly draftId: string };

/** The address of a document; `name` is what its tab shows. */
export function toAgentUri(place: AgentPlace, name: string): vscode.Uri {
  const file = toLabel(name, 60).replace(/[^\p{L}\p{N}_. ()-]/gu, '_') || 'agent';
  const parts =
    place.kind === 'new'
      ? [place.connection, newAgents, place.draftId, `${file}.agent.json`]
      : place.kind === 'version'
        ? [place.connection, place.agentId, String(place.version), `${file} v${place.version}.agent.json`]
        : [place.connection, place.agentId, `${file}.agent.json`];
  return vscode.Uri.from({ scheme: agentScheme, path: `/${parts.map(part => part.replace(/[%/]/g, encodeURIComponent)).join('/')}` });
}

/** What a document shows; undefined when the address is not one of ours. */
export function parseAgentUri(uri: vscode.Uri): AgentPlace | undefined {
  if (uri.scheme !== agentScheme) {
    return undefined;
  }
  const parts = uri.path.split('/').slice(1).map(decode);
  const [connection = '', second = '', third = ''] = parts;
  if (parts.length === 4 && second === newAgents) {
    return { kind: 'new', connection, draftId: third };
  }
  if (parts.length === 4 && /^[1-9]\d{0,14}$/.test(third)) {
    return { kind: 'version', connection, agentId: second, version: Number(third) };
  }
  return parts.length === 3 && second !== newAgents ? { kind: 'agent', connection, agentId: second } : undefined;
}

// No id: an id would have to be this very text, with nothing after it.
const newAgents = '~new';

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
