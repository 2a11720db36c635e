import { messageParamsSchema } from '../../contract/messageParams';
import { isRecord } from '../../shared/isRecord';
import { problemOf } from '../http/apiError';
import type { ModelCatalog } from '../models/modelCatalog';
import { creditProblem } from './fallbackCredit';

/** Parts of checked message params that an emulated answer depends on. */
export interface MessageParams {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly type: string; readonly text?: unknown }[];
  }[];
  readonly system?: unknown;
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
  readonly inference_geo?: string | null;
  readonly speed?: 'standard' | 'fast' | null;
  readonly fallbacks?: readonly Fallback[] | 'default' | null;
  readonly fallback_credit_token?: string | { readonly token: string; readonly mode?: 'strict' | 'best_effort' } | null;
}

/** Entry of `fallbacks`: a model, and values that override values of the request (contract, FallbackConfigV2). */
export interface Fallback {
  readonly model: string;
  readonly max_tokens?: number | null;
  readonly thinking?: MessageParams['thinking'];
}

export type CheckedParams = { readonly params: MessageParams } | { readonly problem: string };

/**
 * Checks message params against the client's schema and the rules that depend on the model. With `isContract`, accepts params that only a
 * vendor's service refuses. A problem names the field: `messages.0.role: ...`.
 */
export function checkParams(value: unknown, models: ModelCatalog, isContract: boolean): CheckedParams {
  const parsed = messageParamsSchema.safeParse(isContract ? withoutOpenShapes(value) : value);
  if (!parsed.success) {
    return { problem: problemOf(parsed.error) };
  }
  // The schema accepted the value. Its type has many variants that the answers don't need.
  const params = value as MessageParams;
  const problem = ruleProblem(params, models, isContract) ?? (isContract ? undefined : vendorProblem(params)) ?? creditProblem(params);
  return problem === undefined ? { params } : { problem };
}

/**
 * Returns the params with valid values where the contract leaves the shape open. A `tool_choice` only needs a known `type`, and an
 * `input_schema` can be any JSON Schema.
 */
function withoutOpenShapes(value: unknown): unknown {
  if (!isRecord(value)) {
    return value;
  }
  const { tool_choice: choice, tools } = value;
  return {
    ...value,
    ...(isRecord(choice) ? { tool_choice: { type: choice.type === 'tool' ? 'auto' : choice.type } } : {}),
    ...(Array.isArray(tools) ? { tools: tools.map(withPlainSchema) } : {}),
  };
}

function withPlainSchema(tool: unknown): unknown {
  const isSchema = isRecord(tool) && (isRecord(tool.input_schema) || typeof tool.input_schema === 'boolean');
  return isSchema ? { ...tool, input_schema: { type: 'object' } } : tool;
}

/** Returns a violation of the contract's rules other than shapes: Errors 3, the limits of a model, and the budget of thinking. */
function ruleProblem(params: MessageParams, models: ModelCatalog, isContract: boolean): string | undefined {
  const fallbacks = Array.isArray(params.fallbacks) ? params.fallbacks : [];
  for (const { model, max_tokens, thinking } of [{ model: params.model }, ...fallbacks] satisfies readonly Fallback[]) {
    const limit = max_tokens ?? params.max_tokens;
    const most = models.limitsOf(model)?.maxTokens;
    if (most !== undefined && limit > most) {
      return `max_tokens: ${limit} > ${most}, which is the maximum allowed number of output tokens for ${model}`;
    }
    const rejected = samplingProblem(params, model, models);
    if (rejected !== undefined) {
      return rejected;
    }
    const { type, budget_tokens: budget = 0 } = thinking ?? params.thinking ?? {};
    if (type === 'enabled' && budget > limit) {
      return 'max_tokens: must not be less than thinking.budget_tokens';
    }
    if (type === 'enabled' && budget === limit && !isContract) {
      return 'max_tokens: must be greater than thinking.budget_tokens';
    }
  }
  return undefined;
}

/** Returns the problem of params that a vendor's service refuses and the contract leaves open. */
function vendorProblem({ messages, tool_choice: choice, tools = [] }: MessageParams): string | undefined {
  if (messages.length === 0) {
    return 'messages: at least one message is required';
  }
  if (choice?.type === 'any' && tools.length === 0) {
    return 'tool_choice: may only be specified while providing tools';
  }
  return choice?.type === 'tool' && !tools.some(tool => tool.name === choice.name)
    ? `tool_choice.name: Tool '${choice.name}' not found in provided tools`
    : undefined;
}

/** Returns the error of a model that accepts no custom sampling parameters. */
function samplingProblem(params: MessageParams, model: string, models: ModelCatalog): string | undefined {
  if (models.limitsOf(model)?.fixedSampling !== true) {
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
