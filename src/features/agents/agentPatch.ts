import { toPatch } from '../resources/definitions';
import type { AgentDefinition } from './agentText';

export { isEqual } from '../resources/definitions';

/** The body of an update: `version` is the one it was based on, the rest is what changed. */
export interface AgentPatch {
  readonly body: Readonly<Record<string, unknown>>;
  /** Names of the fields that change, as they stand in the documents. */
  readonly changed: readonly string[];
}

/** What has to be sent to turn `before` into `after` (API facts, section 10). */
export function toAgentPatch(before: AgentDefinition, after: AgentDefinition, version: number): AgentPatch {
  const { fields, changed } = toPatch(before, after);
  return { body: { version, ...fields }, changed };
}
