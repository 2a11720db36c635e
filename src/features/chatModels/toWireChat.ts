import type { ChatPart, ChatTurn } from './chatTurns';
import { toContentBlocks, toText, toWellFormed, type WireBlock } from './wireBlocks';
import { toWireName } from './wireTools';

/** Message of a request. Roles alternate, and the next message has the result of each tool use. */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}

/** Contents of a chat in a request. */
export interface WireChat {
  /** Text of the system messages. `undefined` if there is none. */
  readonly system: string | undefined;
  /** Empty only if the chat is empty. */
  readonly messages: readonly WireMessage[];
}

/**
 * Converts any chat history to a conversation that a service accepts. It starts with the user, roles alternate, and there are no blank
 * texts. Each tool call has a unique id, and its result is at the start of the next message. A result without a pending call becomes text.
 * A call without a result gets a result that says so.
 */
export function toWireChat(turns: readonly ChatTurn[]): WireChat {
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
  /** Calls without a result: their ids in the request, by their ids in the chat. Several calls can have one id in the chat. */
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
    const isObject = typeof plainInput === 'object' && plainInput !== null && !Array.isArray(plainInput);
    return { type: 'tool_use', id: unique, name: toWireName(name), input: isObject ? plainInput : { value: plainInput } };
  }

  private await(id: string, use: string): void {
    this.waiting.set(id, [...(this.waiting.get(id) ?? []), use]);
  }
}
