import type { ChatTool } from './chatTurns';
import { toWellFormed, type WireBlock } from './wireBlocks';

/** Tools of a request, and a function that maps their names in the request to those in the chat. */
export interface WireTools {
  readonly tools: readonly Omit<WireBlock, 'type'>[];
  nameOf(called: string): string;
}

/** Converts a name to one that services accept: at most 128 letters, digits, `_` and `-`. */
export function toWireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || '_';
}

/** Returns the tools with unique names. If two tools have the same name, the first wins. */
export function toWireTools(tools: readonly ChatTool[]): WireTools {
  const names = new Map<string, string>();
  const wireTools: WireTools['tools'][number][] = [];
  for (const { name, description, inputSchema } of tools) {
    const wireName = toWireName(name);
    if (!names.has(wireName)) {
      names.set(wireName, name);
      const words = description.toWellFormed();
      wireTools.push({ name: wireName, ...(words !== '' && { description: words }), input_schema: toInputSchema(inputSchema) });
    }
  }
  return { tools: wireTools, nameOf: called => names.get(called) ?? called };
}

/** Returns an object schema without null values. Services accept no other schema. */
function toInputSchema(schema: object | undefined): object {
  const { type: _, properties, required, ...rest } = toWellFormed(schema ?? {}) as Readonly<Record<string, unknown>>;
  const isRecord = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
  const names = Array.isArray(required) ? required.filter(name => typeof name === 'string') : [];
  return { ...rest, type: 'object', properties: isRecord ? properties : {}, ...(names.length > 0 && { required: names }) };
}
