import type { Agent } from '../../client/schemas/agents';

/** What a document of an agent holds: the fields one can change, and any that we do not know. */
export type AgentDefinition = Readonly<Record<string, unknown>>;

// Made by the service; no update takes them.
const serviceFields: ReadonlySet<string> = new Set(['id', 'type', 'version', 'created_at', 'updated_at', 'archived_at']);

/** The order in which fields stand, so that two versions differ only where they differ. Others follow as they came. */
const order = ['name', 'description', 'model', 'system', 'tools', 'mcp_servers', 'skills', 'multiagent', 'metadata'];

/** The part of an agent that a document shows. */
export function toDefinition(agent: Agent): AgentDefinition {
  const entries = Object.entries(agent).filter(([name, value]) => !serviceFields.has(name) && value !== undefined);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(entries.sort(([a], [b]) => place(a) - place(b)));
}

/** The document of an agent. */
export function toAgentText(agent: Agent): string {
  return toDefinitionText(toDefinition(agent));
}

/** A definition as the text of a document. */
export function toDefinitionText(definition: AgentDefinition): string {
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** What stands in a document. `field` is named when something is wrong with one. */
export type ParsedDefinition =
  | { readonly definition: AgentDefinition }
  | { readonly problem: 'notJson' | 'notAnObject' }
  | { readonly problem: 'missing'; readonly field: string };

/**
 * Reads a document. Fields that the service makes are left out, so that an agent that was exported elsewhere can be used. Only what no
 * service takes is a problem: it judges the rest itself.
 */
export function parseDefinition(text: string): ParsedDefinition {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { problem: 'notJson' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'notAnObject' };
  }
  const definition = Object.fromEntries(Object.entries(value).filter(([name]) => !serviceFields.has(name) && name !== '$schema'));
  const missing = ['name', 'model'].find(field => !definition[field]);
  return missing === undefined ? { definition } : { problem: 'missing', field: missing };
}
