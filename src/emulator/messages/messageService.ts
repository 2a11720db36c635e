import type { ModelCatalog } from '../models/modelCatalog';
import { type AnswerOptions, answer, type EmulatedMessage, type Marker, refusal, refusalsOf } from './answers';
import { type CheckedParams, checkParams, type Fallback, type MessageParams } from './checkParams';
import { FallbackCredit } from './fallbackCredit';

interface MessageServiceParts {
  readonly models: ModelCatalog;
  /** True for the contract's dialect, which accepts params that only a vendor's service refuses. */
  readonly isContract: boolean;
  readonly key: string;
  readonly now: () => number;
}

/** Checks and answers message requests, in a batch or alone. Tries fallbacks in order, and adds a fallback credit to refusals. */
export class MessageService {
  readonly #credit: FallbackCredit;

  constructor(private readonly parts: MessageServiceParts) {
    this.#credit = new FallbackCredit(parts.key, parts.now);
  }

  check(value: unknown): CheckedParams {
    return checkParams(value, this.parts.models, this.parts.isContract);
  }

  /** Returns the answer of the first model that does not refuse. Throws a 400 if a strict redemption of a credit fails. */
  answer(params: MessageParams, marker: Marker | undefined, options: Omit<AnswerOptions, 'refuses'>): EmulatedMessage {
    const { models, isContract } = this.parts;
    const isEligible = (model: string, refused: string) => model !== refused && models.limitsOf(model) !== undefined;
    // The vendor's batches accept a token and ignore it.
    const credit = options.tier === 'batch' && !isContract ? null : this.#credit.redeem(params, isEligible);
    const attempts = [params, ...fallbacksOf(params, models).map(fallback => withFallback(params, fallback))];
    // A request with a token is a retry, so one attempt was refused before.
    const refusing = refusalsOf(marker) - (params.fallback_credit_token == null ? 0 : 1);
    const at = Math.min(Math.max(refusing, 0), attempts.length - 1);
    const attempt = attempts[at] ?? params;
    const refuses = refusing >= attempts.length;
    const message = answer(attempt, marker, { ...options, refuses });
    const { usage, stop_details: details } = message;
    const token = details === null ? null : this.#credit.issue(params, attempt.model, message.content);
    return {
      ...message,
      content: [...attempts.slice(0, at).map((from, hop) => handOver(from.model, attempts[hop + 1]?.model ?? '')), ...message.content],
      stop_details: details && {
        ...details,
        fallback_credit_token: token,
        fallback_has_prefill_claim: message.content.length > 0,
        recommended_model: models.fallbackOf(attempt.model),
      },
      usage: { ...usage, fallback_credit: credit, iterations: at === 0 ? null : iterationsOf(attempts.slice(0, at + 1), usage) },
    };
  }
}

function fallbacksOf({ model, fallbacks }: MessageParams, models: ModelCatalog): readonly Fallback[] {
  return fallbacks === 'default' ? [{ model: models.fallbackOf(model) }] : (fallbacks ?? []);
}

/** Returns the request to a fallback, with the values that the fallback overrides. */
function withFallback(params: MessageParams, fallback: Fallback): MessageParams {
  const set = Object.entries(fallback).filter(([, value]) => value !== null);
  return { ...params, ...Object.fromEntries(set) };
}

function handOver(from: string, to: string) {
  return { type: 'fallback', from: { model: from }, to: { model: to }, trigger: { type: 'refusal', category: refusal.category } } as const;
}

/** Returns the usage of each attempt. Refused attempts have no output. */
function iterationsOf(attempts: readonly MessageParams[], usage: EmulatedMessage['usage']) {
  const { input_tokens, output_tokens, cache_creation, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  const counts = { input_tokens, cache_creation, cache_creation_input_tokens, cache_read_input_tokens };
  return attempts.map(({ model }, at) => ({
    type: at === 0 ? ('message' as const) : ('fallback_message' as const),
    model,
    ...counts,
    output_tokens: at === attempts.length - 1 ? output_tokens : 0,
  }));
}
