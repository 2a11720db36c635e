import type { LanguageModelChatTool } from 'vscode';
import { hasFixedSampling } from '../../jsonl/rules/modelNames';
import type { RuleOptions } from '../../jsonl/rules/ruleOptions';
import { isRecord } from '../../shared/isRecord';

export interface ChatRequest {
  readonly model: string;
  readonly turns: readonly ChatTurn[];
  readonly tools: readonly LanguageModelChatTool[];
  /** True if the model must call one of the tools. */
  readonly mustCall: boolean;
  /** Options from the caller. Options that the service would reject are omitted. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Default token limit of the answer. The caller's options can replace it. */
  readonly maxOutputTokens: number;
  readonly naming: Pick<RuleOptions, 'modelPrefix'>;
}

/**
 * Returns the parameters of `POST /v1/messages`, valid for any history, and a function that maps its tool names to the tool names of the
 * chat. `messages` is empty only if the chat is empty.
 */
export function toMessageRequest({ model, turns, tools, mustCall, options, maxOutputTokens, naming }: ChatRequest) {
  const { system, messages } = toWireChat(turns);
  const { tools: offered, nameOf } = toWireTools(tools);
  const params = {
    model,
    max_tokens: isWhole(options.max_tokens, 1) ? options.max_tokens : maxOutputTokens,
    ...(system !== undefined && { system }),
    messages,
    ...(offered.length > 0 && { tools: offered, ...(mustCall && { tool_choice: { type: 'any' } }) }),
    ...(Array.isArray(options.stop_sequences) && { stop_sequences: toWellFormed(options.stop_sequences.filter(isStop)) }),
    ...(!hasFixedSampling(model, naming) && toSampling(options)),
  };
  return { params, nameOf };
}

function toSampling({ temperature, top_p: topP, top_k: topK }: Readonly<Record<string, unknown>>): object {
  return {
    ...(isShare(temperature) && { temperature }),
    ...(isShare(topP) && { top_p: topP }),
    ...(isWhole(topK, 0) && { top_k: topK }),
  };
}

function isStop(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/** Message of a request. Roles alternate, and the next message has the result of each tool use. */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}

/**
 * Converts any chat history to a conversation that a service accepts. It starts with the user, roles alternate, and there are no blank
 * texts. Each tool call has a unique id, and its result is at the start of the next message. A result without a pending call becomes text.
 * A call without a result gets a result that says so.
 */
function toWireChat(turns: readonly ChatTurn[]): { readonly system: string | undefined; readonly messages: readonly WireMessage[] } {
  const system = turns
    .filter(({ role }) => role === 'system')
    .flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'text' ? toText(part.text) : [])))
    .map(({ text }) => text)
    .join('\n\n');
  const writer = new ConversationWriter();
  for (const { role, parts } of turns) {
    if (role !== 'system') {
      for (const part of parts) {
        writer.add(role, part);
      }
    }
  }
  const messages = writer.finish();
  // A request needs a message. A system text without messages is sent as the user's message.
  return messages.length === 0 && system !== ''
    ? { system: undefined, messages: [{ role: 'user', content: toText(system) }] }
    : { system: system === '' ? undefined : system, messages };
}

class ConversationWriter {
  private readonly messages: WireMessage[] = [];
  private readonly usedIds = new Set<string>();
  private said: WireBlock[] = [];
  private asked: WireBlock[] = [];
  private results: WireBlock[] = [];
  /**
   * Ids of the calls without a result. Maps the id in the chat to the ids in the request, because several calls can have the same id in the
   * chat.
   */
  private waiting = new Map<string, string[]>();

  add(role: 'user' | 'assistant', part: ChatPart): void {
    if (part.kind === 'result') {
      this.addResult(part);
      return;
    }
    if (role === 'user') {
      this.asked.push(...toContentBlocks(part));
      return;
    }
    const blocks = part.kind === 'call' ? [this.toUse(part)] : toContentBlocks(part).filter(({ type }) => type === 'text');
    if (blocks.length > 0) {
      if (this.asked.length > 0 || this.results.length > 0) {
        this.endPair();
      }
      this.said.push(...blocks);
      if (part.kind === 'call') {
        this.await(part.id, String(blocks[0]?.id));
      }
    }
  }

  finish(): readonly WireMessage[] {
    this.endPair();
    return this.messages;
  }

  private endPair(): void {
    for (const id of [...this.waiting.values()].flat()) {
      this.results.push({ type: 'tool_result', tool_use_id: id, is_error: true, content: 'The tool gave no result.' });
    }
    if (this.said.length > 0) {
      if (this.messages.length === 0) {
        this.messages.push({ role: 'user', content: toText('[What was said before is not here.]') });
      }
      this.messages.push({ role: 'assistant', content: this.said });
    }
    if (this.results.length + this.asked.length > 0) {
      this.messages.push({ role: 'user', content: [...this.results, ...this.asked] });
    }
    this.said = [];
    this.asked = [];
    this.results = [];
    this.waiting = new Map();
  }

  private addResult({ id, content, isError }: ChatPart & { readonly kind: 'result' }): void {
    const blocks = content.flatMap(toContentBlocks);
    const use = this.waiting.get(id)?.shift();
    if (use === undefined) {
      this.asked.push(...toText('[The result of a tool whose call is not here:]'), ...blocks);
      return;
    }
    this.results.push({
      type: 'tool_result',
      tool_use_id: use,
      ...(blocks.length > 0 && { content: blocks }),
      ...(isError && { is_error: true }),
    });
  }

  private toUse({ id, name, input }: ChatPart & { readonly kind: 'call' }): WireBlock {
    const plain = id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
    let unique = plain;
    for (let count = 2; this.usedIds.has(unique); count++) {
      unique = `${plain}_${count}`;
    }
    this.usedIds.add(unique);
    const plainInput = toWellFormed(input);
    return { type: 'tool_use', id: unique, name: toWireName(name), input: isRecord(plainInput) ? plainInput : { value: plainInput } };
  }

  private await(id: string, use: string): void {
    this.waiting.set(id, [...(this.waiting.get(id) ?? []), use]);
  }
}

/** Converts a name to a name that services accept, with at most 128 letters, digits, `_` and `-`. */
function toWireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || '_';
}

/** Returns the tools with unique names, and a map from these names to the names in the chat. The first of two equal names wins. */
function toWireTools(tools: readonly LanguageModelChatTool[]) {
  const names = new Map<string, string>();
  const wireTools: object[] = [];
  for (const { name, description, inputSchema } of tools) {
    const wireName = toWireName(name);
    if (!names.has(wireName)) {
      names.set(wireName, name);
      const words = description.toWellFormed();
      wireTools.push({ name: wireName, ...(words !== '' && { description: words }), input_schema: toInputSchema(inputSchema) });
    }
  }
  return { tools: wireTools, nameOf: (called: string) => names.get(called) ?? called };
}

/** Returns an object schema without null values. Services accept no other schema. */
function toInputSchema(schema: object | undefined): object {
  const { type: _, properties, required, ...rest } = toWellFormed(schema ?? {}) as Readonly<Record<string, unknown>>;
  const names = Array.isArray(required) ? required.filter(name => typeof name === 'string') : [];
  return { ...rest, type: 'object', properties: isRecord(properties) ? properties : {}, ...(names.length > 0 && { required: names }) };
}

/** Block of a message as sent to the service. */
type WireBlock = { readonly type: string; readonly [field: string]: unknown };

/** Converts a text, an image or other data to blocks of a request. Empty for blank texts and empty data, which services reject. */
function toContentBlocks(part: ChatPart): readonly WireBlock[] {
  switch (part.kind) {
    case 'text':
      return toText(part.text);
    case 'data':
      return toDataBlocks(part.mimeType, part.data);
    default:
      return [];
  }
}

/** Returns the block of a text, made well-formed. Empty for a blank text. */
function toText(text: string): readonly WireBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

/** Converts a value to a plain JSON value with only well-formed texts, because services reject lone surrogates. */
export function toWellFormed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null', (_, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one));
}

function toDataBlocks(mimeType: string, data: Uint8Array): readonly WireBlock[] {
  // A service rejects a request with an empty image, so every later request of the chat would fail too.
  if (data.length === 0) {
    return [];
  }
  const kind = dataKindOf(mimeType);
  switch (kind) {
    case 'image':
    case 'document':
      return [{ type: kind, source: { type: 'base64', media_type: mimeType.toLowerCase(), data: Buffer.from(data).toString('base64') } }];
    case 'text':
      return toText(new TextDecoder().decode(data));
    case 'mark':
      return [];
    case 'other':
      // Tells the model that something is missing.
      return toText(`[A part of the type ${mimeType.slice(0, 100)} was left out.]`);
  }
}

/** Part of a chat's history. Does not depend on VS Code's classes. */
export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly content: readonly ChatPart[]; readonly isError: boolean };

export interface ChatTurn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly parts: readonly ChatPart[];
}

/** Kind of data in a chat. A `mark` is internal to the chat, such as a cache control, and has no contents. */
type DataKind = 'image' | 'document' | 'text' | 'mark' | 'other';

const images = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Returns the kind of data by its media type, ignoring case. */
export function dataKindOf(mimeType: string): DataKind {
  const type = mimeType.toLowerCase();
  if (images.has(type)) {
    return 'image';
  }
  if (type === 'application/pdf') {
    return 'document';
  }
  if (/^text\/|[/+]json$/.test(type)) {
    return 'text';
  }
  return type.includes('/') ? 'other' : 'mark';
}
