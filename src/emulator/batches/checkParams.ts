import { messageParamsSchema } from '../../contract/messageParams';
import { problemOf } from '../http/bodyCheck';
import type { ModelCatalog } from '../modelCatalog';

/** The parts of checked message params that an emulated answer depends on. */
export interface MessageParams {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly type: string; readonly text?: unknown }[];
  }[];
  readonly stream?: boolean;
  readonly stop_sequences?: readonly string[];
  readonly temperature?: number;
  readonly top_k?: number;
  readonly top_p?: number;
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number; readonly display?: string | null } | null;
  readonly tool_choice?: { readonly type: string; readonly name?: string };
  readonly tools?: readonly { readonly name?: string; readonly input_schema?: unknown }[];
  readonly output_config?: { readonly format?: { readonly schema: unknown } | null };
  readonly output_format?: { readonly schema: unknown } | null;
  readonly diagnostics?: unknown;
  readonly fallbacks?: unknown;
  readonly fallback_credit_token?: unknown;
}

export type CheckedParams = { readonly params: MessageParams } | { readonly problem: string };

const plainKeys: ReadonlySet<string> = new Set(['model', 'max_tokens', 'messages', 'system', 'temperature']);

/** Checks message params by the client's schema and by the rules that depend on the model. A problem names the field: `messages.0.role: ...`. */
export function checkParams(value: unknown, models: ModelCatalog): CheckedParams {
  if (!isPlain(value)) {
    const parsed = messageParamsSchema.safeParse(value);
    if (!parsed.success) {
      return { problem: problemOf(parsed.error) };
    }
  }
  // Checked above; the schema's own type has a member per variant, of which the answers need none.
  const params = value as MessageParams;
  const problem = ruleProblem(params, models);
  return problem === undefined ? { params } : { problem };
}

/** Whether params are of the common simple form, which is right without asking the schema: most lines of a large file are. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  for (const key of Object.keys(value)) {
    if (!plainKeys.has(key)) {
      return false;
    }
  }
  const { model, max_tokens: maxTokens, messages, system = '', temperature = 1 } = value as Record<string, unknown>;
  return (
    typeof model === 'string' &&
    typeof maxTokens === 'number' &&
    Number.isInteger(maxTokens) &&
    maxTokens >= 0 &&
    typeof system === 'string' &&
    typeof temperature === 'number' &&
    temperature >= 0 &&
    temperature <= 1 &&
    Array.isArray(messages) &&
    messages.length <= 100_000 &&
    messages.every(isPlainMessage)
  );
}

function isPlainMessage(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || Object.keys(message).length !== 2) {
    return false;
  }
  const { role, content } = message as Record<string, unknown>;
  return (role === 'user' || role === 'assistant') && typeof content === 'string' && content !== '';
}

/** What the contract says beyond shapes: Errors 3, the bounds of a model, and how thinking counts. */
function ruleProblem(params: MessageParams, models: ModelCatalog): string | undefined {
  const { model } = params;
  if (params.messages.length === 0) {
    return 'messages: at least one message is required';
  }
  const most = models.maxTokens(model);
  if (most !== undefined && params.max_tokens > most) {
    return `max_tokens: ${params.max_tokens} > ${most}, which is the maximum allowed number of output tokens for ${model}`;
  }
  const attempts: readonly Attempt[] = [{ model }, ...(Array.isArray(params.fallbacks) ? (params.fallbacks as readonly Attempt[]) : [])];
  for (const attempt of attempts) {
    const rejected = samplingProblem(params, attempt.model, models);
    if (rejected !== undefined) {
      return rejected;
    }
  }
  if (attempts.some(attempt => !hasRoomForThinking(params, attempt))) {
    return 'max_tokens: must be greater than thinking.budget_tokens';
  }
  if (params.tool_choice?.type === 'any' && !params.tools?.length) {
    return 'tool_choice: may only be specified while providing tools';
  }
  if (params.tool_choice?.type === 'tool' && !params.tools?.some(tool => tool.name === params.tool_choice?.name)) {
    return `tool_choice.name: Tool '${params.tool_choice.name}' not found in provided tools`;
  }
  return creditProblem(params);
}

/** What a fallback puts in the place of the request's own (contract, FallbackConfigV2). */
interface Attempt {
  readonly model: string;
  readonly max_tokens?: number | null;
  readonly thinking?: MessageParams['thinking'];
}

/** What a model that takes no sampling parameters of one's own says of them. */
function samplingProblem(params: MessageParams, model: string, models: ModelCatalog): string | undefined {
  if (!models.hasFixedSampling(model)) {
    return undefined;
  }
  if (params.temperature !== undefined && params.temperature !== 1) {
    return `temperature: ${model} accepts only 1`;
  }
  if (params.top_k !== undefined) {
    return `top_k: not accepted by ${model}`;
  }
  return params.top_p !== undefined && params.top_p < 0.99 ? `top_p: ${model} accepts only values of at least 0.99` : undefined;
}

/** Whether the thinking budget is less than the tokens in which it is counted. */
function hasRoomForThinking(params: MessageParams, attempt: Attempt): boolean {
  const thinking = attempt.thinking ?? params.thinking;
  return thinking?.type !== 'enabled' || (thinking.budget_tokens ?? 0) < (attempt.max_tokens ?? params.max_tokens);
}

/** Rules of a fallback credit (contract, Fallback credit). The emulator gives none out, so none can be redeemed. */
function creditProblem({ fallback_credit_token: credit, fallbacks }: MessageParams): string | undefined {
  if (credit === undefined || credit === null) {
    return undefined;
  }
  if (fallbacks !== undefined && fallbacks !== null) {
    return 'fallback_credit_token: cannot be combined with fallbacks';
  }
  const isBestEffort = typeof credit === 'object' && 'mode' in credit && credit.mode === 'best_effort';
  return isBestEffort ? undefined : 'fallback_credit_token: not a token that can be redeemed';
}
