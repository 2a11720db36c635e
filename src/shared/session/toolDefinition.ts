import { toLabel } from '../text';
import { listOf, objectOf, textOf } from './eventFields';
import type { Ask } from './openAsksAt';
import { toJsonPart, toTextPart } from './rows/parts';
import type { Part } from './rows/rows';
import type { SessionSource } from './sessionSource';

/** How an agent was told of a custom tool (API facts, `CustomTool`), as far as it said. */
export interface ToolDefinition {
  readonly description?: Extract<Part, { type: 'text' }>;
  /** JSON Schema of the arguments. */
  readonly input?: Extract<Part, { type: 'json' }>;
  /** JSON Schema of the result, where a service keeps one: the contract has none. */
  readonly output?: Extract<Part, { type: 'json' }>;
}

/** Characters of a description and of a schema that travel to a panel. */
const longest = 20_000;

/** The definition of the custom tool that asks: of the agent of its thread, else of the session's. */
export function toolDefinitionOf(
  { session, threads }: SessionSource,
  { kind, tool, thread }: Pick<Ask, 'kind' | 'tool' | 'thread'>,
): ToolDefinition | undefined {
  if (kind !== 'customTool') {
    return undefined;
  }
  const agents = [threads?.find(({ id }) => id === thread)?.agent, session?.agent].map(objectOf);
  const found = agents
    .flatMap(agent => listOf(agent?.tools).map(objectOf))
    .find(candidate => candidate?.type === 'custom' && toLabel(textOf(candidate.name) ?? '') === tool);
  const description = textOf(found?.description);
  const [input, output] = [objectOf(found?.input_schema), objectOf(found?.output_schema)];
  return found === undefined || (description ?? input ?? output) === undefined
    ? undefined
    : {
        ...(description && { description: toTextPart(description, longest) }),
        ...(input && { input: toJsonPart(input, longest) }),
        ...(output && { output: toJsonPart(output, longest) }),
      };
}
