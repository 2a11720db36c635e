import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import type { EmulatedBlock } from './answers';
import type { MessageParams } from './checkParams';

/** Time after the refusal in which a token can be redeemed, in milliseconds (contract, Fallback credit 2). */
const lifetime = 5 * 60 * 1000;

const claimSchema = z.object({
  /** Model that refused. */
  model: z.string(),
  at: z.number(),
  body: z.string(),
  /** Hash of the content streamed before the refusal, in the extended form. `null` if there was no content. */
  partial: z.string().nullable(),
  /** True if only the extended form is accepted, because the refusal came in the middle of a server-tool loop. */
  extendedOnly: z.boolean(),
});
type Claim = z.infer<typeof claimSchema>;

/** Messages of strict mode, by the reason in `usage.fallback_credit` for which a token was not redeemed. */
const failures = {
  wrong_workspace: 'it belongs to another workspace',
  expired: 'it is older than 5 minutes',
  invalid_target_model: 'the model is not an eligible fallback model',
  body_mismatch: 'the request is not the one that was refused',
  continuation_only: 'it must be redeemed by continuing the partial response: retry in the extended form',
  continuation_excluded: 'the extended form cannot be used with output_format or a forced tool_choice',
} as const;
type Failure = keyof typeof failures;

/** `usage.fallback_credit` of the response to a request with a token. */
export interface CreditUsage {
  readonly status: { readonly type: 'redeemed' } | { readonly type: 'not_applied'; readonly reason: Failure };
}

/** Issues and redeems fallback credits (contract, Fallback credit). A token carries its own claim, signed with the API key. */
export class FallbackCredit {
  constructor(
    private readonly key: string,
    private readonly now: () => number,
  ) {}

  /** Returns the token for a request that `model` refused after `partial`. */
  issue(params: MessageParams, model: string, partial: readonly EmulatedBlock[]): string {
    const content = toExtension(partial);
    const claim: Claim = {
      model,
      at: this.now(),
      body: hashOfBody(params),
      partial: content.length === 0 ? null : hash(content),
      extendedOnly: content.some(({ type }) => type === 'server_tool_use'),
    };
    const text = Buffer.from(JSON.stringify(claim)).toString('base64url');
    return `fct_${text}.${this.#signature(text)}`;
  }

  /**
   * Redeems the token of a request, if it has one. Throws a 400 if a strict redemption fails. `isEligible` returns whether a model can take
   * over from the model that refused.
   */
  redeem(params: MessageParams, isEligible: (model: string, refused: string) => boolean): CreditUsage | null {
    const token = tokenOf(params);
    if (token === undefined) {
      return null;
    }
    const failure = this.#failureOf(token, params, isEligible);
    if (failure === undefined) {
      return { status: { type: 'redeemed' } };
    }
    const credit = params.fallback_credit_token;
    if (typeof credit === 'object' && credit?.mode === 'best_effort') {
      return { status: { type: 'not_applied', reason: failure } };
    }
    throw invalidRequest(`fallback_credit_token: not redeemed, because ${failures[failure]}`);
  }

  #failureOf(token: string, params: MessageParams, isEligible: (model: string, refused: string) => boolean): Failure | undefined {
    const [text = '', signature] = token.slice('fct_'.length).split('.');
    const claim = claimIn(token);
    if (claim === undefined || signature !== this.#signature(text)) {
      return 'wrong_workspace';
    }
    if (this.now() - claim.at > lifetime) {
      return 'expired';
    }
    if (!isEligible(params.model, claim.model)) {
      return 'invalid_target_model';
    }
    if (hashOfBody(params) === claim.body) {
      return claim.extendedOnly ? 'continuation_only' : undefined;
    }
    const { messages } = params;
    const last = messages.at(-1);
    if (last?.role !== 'assistant' || hashOfBody({ ...params, messages: messages.slice(0, -1) }) !== claim.body) {
      return 'body_mismatch';
    }
    if (params.output_format != null || params.tool_choice?.type === 'any' || params.tool_choice?.type === 'tool') {
      return 'continuation_excluded';
    }
    const content = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content;
    return hash(content) === claim.partial ? undefined : 'body_mismatch';
  }

  #signature(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url');
  }
}

/** Returns a problem of the token that fails in both modes: it is malformed, or combined with `fallbacks`. */
export function creditProblem(params: MessageParams): string | undefined {
  const token = tokenOf(params);
  if (token !== undefined && params.fallbacks != null) {
    return 'fallback_credit_token: cannot be combined with fallbacks';
  }
  return token !== undefined && claimIn(token) === undefined ? 'fallback_credit_token: malformed token' : undefined;
}

function tokenOf({ fallback_credit_token: credit }: MessageParams): string | undefined {
  return typeof credit === 'string' ? credit : credit?.token;
}

function claimIn(token: string): Claim | undefined {
  const text = /^fct_([\w-]+)\.[\w-]+$/.exec(token)?.[1];
  try {
    return text === undefined ? undefined : claimSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return undefined;
  }
}

/** Returns the partial content as the extended form repeats it, without trailing white space in a final text block. */
function toExtension(partial: readonly EmulatedBlock[]): readonly EmulatedBlock[] {
  const last = partial.at(-1);
  return last?.type === 'text' ? [...partial.slice(0, -1), { ...last, text: last.text.trimEnd() }] : partial;
}

/** Returns the hash of a request without the fields that its retry changes: the model, the token and the fallbacks. */
function hashOfBody({ model: _, fallback_credit_token: __, fallbacks: ___, ...body }: MessageParams): string {
  return hash(body);
}

/** Returns a hash that depends neither on the order of keys nor on keys whose value is `null`. */
function hash(value: unknown): string {
  const text = JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, member]) => member !== null)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  );
  return createHash('sha256').update(text).digest('base64url');
}
