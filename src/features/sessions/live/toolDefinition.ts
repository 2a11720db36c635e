import { listOf, objectOf, textOf } from '../../../shared/session/eventFields';
import type { Ask, ToolDefinition } from '../../../shared/session/openAsks';
import { toJsonPart, toTextPart } from '../../../shared/session/rows/parts';
import { toLabel } from '../../../shared/text';
import type { SessionSource } from '../facts/sessionSource';

/** Maximum length of a description, and of a schema, sent to a panel, in characters. */
const longest = 20_000;

/** Returns the definition of the custom tool that asks: from the agent of its thread, otherwise from the session's. */
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
  const input = objectOf(found?.input_schema);
  return description === undefined && input === undefined
    ? undefined
    : {
        ...(description && { description: toTextPart(description, longest) }),
        ...(input && { input: toJsonPart(input, longest) }),
      };
}
