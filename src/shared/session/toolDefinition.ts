import { toLabel } from '../text';
import { listOf, objectOf, textOf } from './eventFields';
import { toJsonPart, toTextPart } from './rows/parts';
import type { Part } from './rows/rows';
import type { SessionSource } from './sessionSource';

/** Definition of a custom tool, as given to the agent (API facts, `CustomTool`). */
export interface ToolDefinition {
  readonly description?: Extract<Part, { type: 'text' }>;
  readonly input?: Extract<Part, { type: 'json' }>;
}

/** Maximum length of a description, and of a schema, sent to a panel, in characters. */
const longest = 20_000;

/** Returns the definition of the custom tool that asks: from the agent of its thread, otherwise from the session's. */
export function toolDefinitionOf(
  { session, threads }: SessionSource,
  { kind, tool, thread }: { readonly kind: string; readonly tool: string; readonly thread?: string },
): ToolDefinition | undefined {
  if (kind !== 'customTool') {
    return undefined;
  }
  const agents = [threads?.find(({ id }) => id === thread)?.agent, session?.agent].map(objectOf);
  const found = agents
    .flatMap(agent => listOf(agent?.tools).map(objectOf))
    .find(candidate => candidate?.type === 'custom' && toLabel(textOf(candidate.name) ?? '') === tool);
  const description = textOf(found?.description);
  const input = objectOf(found?.input_schema);
  return description === undefined && input === undefined
    ? undefined
    : {
        ...(description && { description: toTextPart(description, longest) }),
        ...(input && { input: toJsonPart(input, longest) }),
      };
}
