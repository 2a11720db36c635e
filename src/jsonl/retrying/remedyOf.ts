import type { JsonPath } from '../fixes/jsonParts';

/** Change to a request that fixes its error. Raising never lowers a number, and lowering never raises one. */
export type RequestChange =
  | { readonly kind: 'raise_max_tokens' | 'lower_max_tokens'; readonly to: number }
  /** Raises `max_tokens` of each request to a sensible value within the known limit of its model, from `least` to `most`. */
  | {
      readonly kind: 'raise_each';
      readonly bounds: readonly (readonly [model: string, tokens: number])[];
      readonly least: number;
      readonly most: number;
    }
  | { readonly kind: 'set_model'; readonly model: string }
  /** Removes a field of `params`. */
  | { readonly kind: 'remove'; readonly path: JsonPath };

const most = /\bmax_tokens\b\D{0,40}?(\d+)\s*>\s*(\d+)/;
const budget = /max_tokens[`'"]?\s*(?:must|has to|should) be (?:greater|larger|more) than\D*(?:budget_tokens)?\D*(\d+)?/;
const rejectedField = /\b(temperature|top_k|top_p)\b/;
const rejection = /not (?:accepted|supported|allowed|available)|accepts only|unsupported|deprecated|does not support/i;
const extra =
  /(?:extra inputs? (?:are|is) not permitted|unrecognized (?:key|field)|unknown (?:key|field|name|parameter)|additional propert)/i;
/** Path in front of an error message: `params.messages.0.foo: …`. */
const leadingPath = /^(?:requests\.\d+\.)?((?:[A-Za-z_][\w-]*|\d+)(?:\.(?:[A-Za-z_][\w-]*|\d+))*)\s*:/;
const quotedName = /["'`]([A-Za-z_][\w-]*)["'`]/;

/**
 * Returns the change that fixes an error, if its message clearly names a bound, an unknown field or a missing model. Otherwise returns
 * `undefined`. Only for `invalid_request_error` and `not_found_error` of the contract.
 */
export function remedyOf(errorType: string | undefined, message: string): RequestChange | { readonly kind: 'choose_model' } | undefined {
  if (errorType === 'not_found_error') {
    return /\bmodel\b/i.test(message) ? { kind: 'choose_model' } : undefined;
  }
  if (errorType !== 'invalid_request_error') {
    return undefined;
  }
  const tooMany = most.exec(message);
  if (tooMany !== null) {
    return boundOf('lower_max_tokens', tooMany[2]);
  }
  if (/^model\s*:/.test(message) && /not (?:found|known|exist|available)|unknown|does not exist/i.test(message)) {
    return { kind: 'choose_model' };
  }
  const needed = budget.exec(message)?.[1];
  if (needed !== undefined) {
    return boundOf('raise_max_tokens', String(Number(needed) * 2));
  }
  const field = rejectedField.exec(message)?.[1];
  if (field !== undefined && rejection.test(message)) {
    return { kind: 'remove', path: [field] };
  }
  return extra.test(message) ? unknownField(message) : undefined;
}

function boundOf(kind: 'raise_max_tokens' | 'lower_max_tokens', digits: string | undefined): RequestChange | undefined {
  const to = Number(digits);
  return Number.isSafeInteger(to) && to > 0 ? { kind, to } : undefined;
}

/**
 * Returns the change that removes the unknown field that an error message names. The path in the message leads to the field. Or the path
 * leads to the parent, and the name of the field follows in quotes.
 */
function unknownField(message: string): RequestChange | undefined {
  const steps = leadingPath.exec(message)?.[1]?.split('.') ?? [];
  const path: JsonPath = (steps[0] === 'params' ? steps.slice(1) : steps).map(step => (/^\d+$/.test(step) ? Number(step) : step));
  const name = quotedName.exec(message.slice(message.indexOf(':') + 1))?.[1];
  const full = name === undefined || path.at(-1) === name ? path : [...path, name];
  return full.length > 0 && typeof full.at(-1) === 'string' ? { kind: 'remove', path: full } : undefined;
}

/**
 * Returns the next `max_tokens` for answers that were cut off at `now`: twice as much, rounded up to a power of two, but at most `bound`.
 * Returns `undefined` if `now` has already reached `bound`.
 */
export function nextMaxTokens(now: number, bound: number | undefined): number | undefined {
  const doubled = 2 ** Math.ceil(Math.log2(Math.max(now, 128) * 2));
  const next = bound === undefined ? doubled : Math.min(doubled, bound);
  return next > now ? next : undefined;
}
