import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';

/** Scheme of agent documents. */
export const agentScheme = 'managed-agents-agent';

/** Content of an agent document. */
export type AgentLocation =
  /** Editable agent: its draft, or its latest version if there is no draft. */
  | { readonly kind: 'agent'; readonly connection: string; readonly agentId: string }
  /** A version, read-only. */
  | { readonly kind: 'version'; readonly connection: string; readonly agentId: string; readonly version: number }
  /** Editable agent that the service does not have yet. */
  | { readonly kind: 'new'; readonly connection: string; readonly draftId: string };

/** Returns the URI of a document. `name` is the label of its tab. */
export function toAgentUri(place: AgentLocation, name: string): vscode.Uri {
  const file = toLabel(name, 60).replace(/[^\p{L}\p{N}_. ()-]/gu, '_') || 'agent';
  const parts =
    place.kind === 'new'
      ? [place.connection, newAgents, place.draftId, `${file}.agent.json`]
      : place.kind === 'version'
        ? [place.connection, place.agentId, String(place.version), `${file} v${place.version}.agent.json`]
        : [place.connection, place.agentId, `${file}.agent.json`];
  return vscode.Uri.from({ scheme: agentScheme, path: `/${parts.map(part => part.replace(/[%/]/g, encodeURIComponent)).join('/')}` });
}

/** Parses the URI of an agent document. Returns `undefined` for any other URI. */
export function parseAgentUri(uri: vscode.Uri): AgentLocation | undefined {
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

// Segment for new agents. An agent's ID could only be confused with it if it were this exact text.
const newAgents = '~new';

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
