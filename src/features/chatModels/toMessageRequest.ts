import { hasFixedSampling } from '../../jsonl/rules/modelNames';
import type { RuleOptions } from '../../jsonl/rules/ruleOptions';
import type { ChatTool, ChatTurn } from './chatTurns';
import { toWireChat } from './toWireChat';
import { toWellFormed } from './wireBlocks';
import { toWireTools } from './wireTools';

export interface ChatRequest {
  readonly model: string;
  readonly turns: readonly ChatTurn[];
  readonly tools: readonly ChatTool[];
  /** True if the model must call one of the tools. */
  readonly mustCall: boolean;
  /** Options from the caller. Options that the service would reject are omitted. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Default token limit of the answer. The caller's options can replace it. */
  readonly maxOutputTokens: number;
  readonly naming: Pick<RuleOptions, 'modelPrefix'>;
}

/** Request to the service, and the names of its tools in the chat. */
export interface MessageRequest {
  readonly params: Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] };
  nameOf(called: string): string;
}

/** Returns the parameters of `POST /v1/messages`, valid for any history. `messages` is empty only if the chat is empty. */
export function toMessageRequest({ model, turns, tools, mustCall, options, maxOutputTokens, naming }: ChatRequest): MessageRequest {
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
