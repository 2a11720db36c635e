import type { Agent } from '../../client/schemas/agents';
import * as definitions from '../resources/definitions';

/** What a document of an agent holds: the fields one can change, and any that we do not know. */
export type AgentDefinition = definitions.Definition;

export { type ParsedDefinition, toDefinitionText } from '../resources/definitions';

const fields: definitions.DefinitionFields = {
  service: new Set(['id', 'type', 'version', 'created_at', 'updated_at', 'archived_at']),
  order: ['name', 'description', 'model', 'system', 'tools', 'mcp_servers', 'skills', 'multiagent', 'metadata'],
  required: ['name', 'model'],
};

/** The part of an agent that a document shows. */
export function toDefinition(agent: Agent): AgentDefinition {
  return definitions.toDefinition(agent, fields);
}

/** The document of an agent. */
export function toAgentText(agent: Agent): string {
  return definitions.toDefinitionText(toDefinition(agent));
}

/** Reads a document of an agent. */
export function parseDefinition(text: string): definitions.ParsedDefinition {
  return definitions.parseDefinition(text, fields);
}
