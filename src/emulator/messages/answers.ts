import { ApiError } from '../http/apiError';
import type { MessageParams } from './checkParams';
import type { CreditUsage } from './fallbackCredit';
import { groupsAnswer, minimalJson, sampleAnswer, sessionAnswer } from './sampleAnswers';

/*
 * Matches a marker, which selects the outcome of a request. The marker can be anywhere in the text of the last user message:
 *
 * | marker                           | outcome                                                                                   |
 * |----------------------------------|-------------------------------------------------------------------------------------------|
 * | [emulate: error TYPE]            | fails with that `error.type` (default `api_error`): HTTP status or `errored`              |
 * | [emulate: stream-error TYPE]     | a streamed answer ends with an `error` event; elsewhere like `error`                      |
 * | [emulate: cut]                   | a streamed answer loses its connection half-way; elsewhere a plain answer                 |
 * | [emulate: expired]               | a batch's request expires; elsewhere a plain answer                                       |
 * | [emulate: canceled]              | a batch's request is cancelled; elsewhere a plain answer                                  |
 * | [emulate: refusal N]             | the model and its first fallbacks, N attempts (1) in all, refuse: `stop_reason` `refusal` |
 * | [emulate: partial-refusal WORDS] | the model refuses after these words                                                       |
 * | [emulate: tool-refusal]          | the model refuses in the middle of a server-tool loop                                     |
 * | [emulate: max_tokens]            | cut off in the middle: `stop_reason` `max_tokens`                                         |
 * | [emulate: tool]                  | calls the first custom tool: `stop_reason` `tool_use`                                     |
 * | [emulate: long N]                | an answer of N characters (default 2000)                                                  |
 * | [emulate: text WORDS]            | answers exactly these words                                                               |
 */
const markerPattern = /^\[emulate: *([a-z_-]+)([^a-z_\]-][^\]]*)?\]/;

export interface Marker {
  readonly name: string;
  readonly value: string;
}

export type EmulatedBlock =
  | { readonly type: 'text'; readonly text: string; readonly citations: null }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'server_tool_use'; readonly id: string; readonly name: 'web_search'; readonly input: { readonly query: string } }
  | { readonly type: 'web_search_tool_result'; readonly tool_use_id: string; readonly content: readonly [] }
  | {
      readonly type: 'fallback';
      readonly from: { readonly model: string };
      readonly to: { readonly model: string };
      readonly trigger: { readonly type: 'refusal'; readonly category: RefusalDetails['category'] };
    };

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal';

interface RefusalDetails {
  readonly type: 'refusal';
  readonly category: 'general_harms' | null;
  readonly explanation: string;
  /** Set by `MessageService`, like the next two fields. */
  readonly fallback_credit_token: string | null;
  readonly fallback_has_prefill_claim: boolean | null;
  readonly recommended_model: string | null;
}

export interface AnswerOptions {
  /** Last part of the ids in the answer. */
  readonly seed: string;
  readonly tier: 'standard' | 'batch';
  /** Minimum number of characters of the text. */
  readonly length: number;
  /** True if the text is cut off in the middle. */
  readonly cutShort: boolean;
  /** True if the answer is a refusal, after the content that the marker specifies. */
  readonly refuses: boolean;
}

export const refusal: RefusalDetails = {
  type: 'refusal',
  category: null,
  explanation: 'Emulated refusal, asked for by the request.',
  fallback_credit_token: null,
  fallback_has_prefill_claim: null,
  recommended_model: null,
};

const bytesPerToken = 4;
const quotedCharacters = 240;

/** Returns the number of input tokens of a prompt. Used for token counts and for usage. */
export function inputTokens({ system, tools = [], messages }: Pick<MessageParams, 'system' | 'tools' | 'messages'>): number {
  const sizeOf = (value: unknown) => (typeof value === 'string' ? Buffer.byteLength(value) : Buffer.byteLength(JSON.stringify(value)));
  const sizes = [...(system === undefined ? [] : [system]), ...tools, ...messages.map(({ content }) => content)].map(sizeOf);
  return messages.length + Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / bytesPerToken);
}

export function markerOf(params: MessageParams): Marker | undefined {
  const whole = lastUserText(params);
  // Skips a transcript. Its markers were meant for the session in the transcript.
  const text = whole.startsWith('<session {') ? whole.slice(whole.lastIndexOf('</session>')) : whole;
  const at = text.indexOf('[emulate:');
  const match = at < 0 ? null : markerPattern.exec(text.slice(at));
  return match?.[1] === undefined ? undefined : { name: match[1], value: (match[2] ?? '').trim() };
}

export function errorOf(marker: Marker | undefined): ApiError | undefined {
  return marker?.name === 'error' || marker?.name === 'stream-error'
    ? new ApiError(marker.value === '' ? 'api_error' : marker.value, 'Emulated failure, asked for by the request')
    : undefined;
}

/** Returns the number of attempts that refuse because of the marker. */
export function refusalsOf(marker: Marker | undefined): number {
  return marker?.name === 'refusal' ? Number(marker.value) || 1 : isPartialRefusal(marker) ? 1 : 0;
}

function isPartialRefusal(marker: Marker | undefined): boolean {
  return marker?.name === 'partial-refusal' || marker?.name === 'tool-refusal';
}

/** Returns the answer to a request, always the same for equal requests. Except for sample requests, it names the emulator. */
export function answer(params: MessageParams, marker: Marker | undefined, options: AnswerOptions): EmulatedMessage {
  if (options.refuses) {
    const partial = partialOf(marker, options.seed);
    return { ...toMessage(params, options, partial, 'refusal', JSON.stringify(partial).length - 2), stop_details: refusal };
  }
  const tool = toolToCall(params, marker);
  if (tool !== undefined) {
    const call = {
      type: 'tool_use' as const,
      id: `toolu_emulated_${options.seed}`,
      name: tool.name,
      input: minimalInput(tool.input_schema),
    };
    return toMessage(params, options, [...thinking(params), call], 'tool_use', JSON.stringify(call.input).length);
  }
  const limit = params.max_tokens * bytesPerToken;
  const full = continued(params, textFor(params, marker, options.length));
  const stop = firstStop(full, params.stop_sequences ?? []);
  const complete = stop === undefined ? full : full.slice(0, full.indexOf(stop));
  const maxBytes = options.cutShort || marker?.name === 'max_tokens' ? Math.min(limit, Math.ceil(complete.length / 2)) : limit;
  const text = cutToBytes(complete, maxBytes);
  const content = text === '' ? thinking(params) : [...thinking(params), { type: 'text' as const, text, citations: null }];
  if (text.length < complete.length) {
    return toMessage(params, options, content, 'max_tokens', maxBytes);
  }
  const message = toMessage(params, options, content, stop === undefined ? 'end_turn' : 'stop_sequence', Buffer.byteLength(text));
  return { ...message, stop_sequence: stop ?? null };
}

export type EmulatedMessage = ReturnType<typeof toMessage>;

function toMessage(
  params: MessageParams,
  { seed, tier }: AnswerOptions,
  content: readonly EmulatedBlock[],
  stopReason: StopReason,
  outputBytes: number,
) {
  const input = inputTokens(params);
  // A request without output only writes the cache.
  const written = params.max_tokens === 0 ? input : 0;
  return {
    id: `msg_emulated_${seed}`,
    type: 'message' as const,
    role: 'assistant' as const,
    model: params.model,
    content,
    stop_reason: stopReason,
    stop_sequence: null as string | null,
    stop_details: null as RefusalDetails | null,
    usage: {
      input_tokens: input - written,
      output_tokens: Math.min(Math.ceil(outputBytes / bytesPerToken), params.max_tokens),
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: written },
      cache_creation_input_tokens: written,
      cache_read_input_tokens: 0,
      fallback_credit: null as CreditUsage | null,
      inference_geo: params.inference_geo ?? null,
      iterations: null as readonly object[] | null,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: tier,
      speed: params.speed ?? null,
    },
    diagnostics: params.diagnostics == null ? null : { cache_miss_reason: null },
    context_management: null,
    container: null,
  };
}

/** Returns the smallest input of a tool. Always an object, even if the schema asks for something else. */
function minimalInput(schema: unknown): unknown {
  const input = minimalJson(schema);
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
}

/** Returns the content before a refusal. */
function partialOf(marker: Marker | undefined, seed: string): readonly EmulatedBlock[] {
  if (!isPartialRefusal(marker)) {
    return [];
  }
  const text = { type: 'text', text: marker?.value || 'Emulated answer', citations: null } as const;
  const id = `srvtoolu_emulated_${seed}`;
  return marker?.name === 'partial-refusal'
    ? [text]
    : [
        text,
        { type: 'server_tool_use', id, name: 'web_search', input: { query: 'emulated' } },
        { type: 'web_search_tool_result', tool_use_id: id, content: [] },
      ];
}

/** Returns the text of the user's last turn. Consecutive user messages are one turn. */
function lastUserText({ messages }: MessageParams): string {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const before = messages.slice(0, last + 1).findLastIndex(({ role }) => role !== 'user');
  return messages
    .slice(before + 1, last + 1)
    .map(textOfMessage)
    .join('\n');
}

function textOfMessage({ content }: MessageParams['messages'][number]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

/**
 * Returns the rest of the answer if the final assistant message is the start of the answer. Otherwise, returns the whole answer, marked as
 * a continuation.
 */
function continued({ messages }: MessageParams, answer: string): string {
  const last = messages.at(-1);
  const start = last?.role === 'assistant' ? textOfMessage(last) : '';
  return answer.startsWith(start) ? answer.slice(start.length) : ` (continued) ${answer}`;
}

function textFor(params: MessageParams, marker: Marker | undefined, length: number): string {
  const question = lastUserText(params).trim();
  const sample = sampleAnswer(question);
  const format = params.output_config?.format ?? params.output_format;
  if (format !== undefined && format !== null) {
    return sample ?? sessionAnswer(question, format.schema) ?? groupsAnswer(question) ?? JSON.stringify(minimalJson(format.schema));
  }
  if (marker?.name === 'text') {
    return marker.value;
  }
  const quoted = question.length <= quotedCharacters ? question : `... ${lastWords(question)}`;
  const text = sample ?? `Emulated answer to: ${quoted}`;
  const wanted = marker?.name === 'long' ? Number(marker.value || 2000) : length;
  return text.length < wanted ? fill(text, Math.min(wanted, 5_000_000)) : text;
}

/** Returns the end of a text from the start of a word, so that no character is split. */
function lastWords(text: string): string {
  const end = text.slice(-quotedCharacters);
  const space = end.search(/\s/);
  return space < 0 ? end.replace(/^[\udc00-\udfff]/, '') : end.slice(space + 1);
}

function fill(text: string, length: number): string {
  const more = '\n\nThe emulator goes on so that the answer is as long as it was asked to be.';
  return (text + more.repeat(Math.ceil((length - text.length) / more.length))).slice(0, length);
}

function firstStop(text: string, stops: readonly string[]): string | undefined {
  let first: string | undefined;
  let firstAt = text.length;
  for (const stop of stops) {
    const at = stop === '' ? -1 : text.indexOf(stop);
    if (at >= 0 && at < firstAt) {
      firstAt = at;
      first = stop;
    }
  }
  return first;
}

/** Returns at most `bytes` bytes of a text, in whole characters. */
function cutToBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) {
    return text;
  }
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\ufffd$/, '');
}

function thinking(params: MessageParams): readonly EmulatedBlock[] {
  const config = params.thinking;
  if (config === undefined || config === null || config.type === 'disabled') {
    return [];
  }
  const words = config.display === 'omitted' ? '' : 'Emulated thinking: the question is quoted and nothing is looked up.';
  return [{ type: 'thinking', thinking: words, signature: 'ZW11bGF0ZWQ=' }];
}

function toolToCall(
  params: MessageParams,
  marker: Marker | undefined,
): { readonly name: string; readonly input_schema: unknown } | undefined {
  const tools = (params.tools ?? []).filter(tool => tool.input_schema !== undefined && typeof tool.name === 'string');
  const choice = params.tool_choice;
  const wanted =
    choice?.type === 'tool'
      ? tools.find(tool => tool.name === choice.name)
      : choice?.type === 'any' || marker?.name === 'tool'
        ? tools[0]
        : undefined;
  return wanted?.name === undefined ? undefined : { name: wanted.name, input_schema: wanted.input_schema };
}
