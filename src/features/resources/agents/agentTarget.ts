import * as vscode from 'vscode';
import type { AgentReference, Reference } from '../../../contributions';
import { agentScheme } from '../documents/resourceUri';
import { agents, agentVersions } from '../kinds/agents';
import { type ResourceFlow, referenceOf } from '../resourceFlow';
import { promptScheme, toAgentUri } from './prompt/promptFiles';

/** Argument of an agent command: a reference, a document of the agent or its prompt, or the name of the kind. */
export type AgentTarget = AgentReference | vscode.Uri | string;

/** Converts an argument to that of a resource command. Without one, returns the agent of the active document. */
export function toTarget(given: AgentTarget | undefined): Reference | vscode.Uri | string | undefined {
  const target = given ?? vscode.window.activeTextEditor?.document.uri;
  if (target instanceof vscode.Uri) {
    return target.scheme === promptScheme ? toAgentUri(target) : target.scheme === agentScheme ? target : undefined;
  }
  return typeof target === 'object' ? toReference(target) : target;
}

/** Converts the reference to an agent, or to one of its versions, to a resource reference. */
export function toReference({ connection, agentId, version }: AgentReference): Reference {
  const agent = { connection, kind: agents.kind, id: agentId };
  return version === undefined ? agent : { connection, kind: agentVersions.kind, id: String(version), parent: agent };
}

/** Returns the agent or agent version that a command applies to. */
export function chosen(flow: ResourceFlow, target: AgentTarget | undefined, ability?: string): Promise<Reference> {
  return referenceOf(flow, toTarget(target), [agents], ability);
}

/** Returns the agent itself, also for one of its versions. */
export function agentOf(reference: Reference): Reference {
  return reference.parent ?? reference;
}
