import * as z from 'zod';

/** Returns the length of a text in characters as the service counts them. A surrogate pair counts as one character. */
function characterCount(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** `params` of the issue of a text with the wrong length. */
export interface LengthParams {
  readonly limit: 'characters';
  readonly minimum: number;
  readonly maximum: number;
}

/** Creates the schema of a string of `minimum` to `maximum` characters. zod's `max` would count UTF-16 units. */
export function characters(minimum: number, maximum: number) {
  const params: LengthParams = { limit: 'characters', minimum, maximum };
  return z.string().refine(
    text => {
      // A text has at most as many characters as UTF-16 units, and at least half as many.
      const count = text.length <= maximum && text.length > minimum * 2 ? text.length : characterCount(text);
      return count >= minimum && count <= maximum;
    },
    { params: { ...params } },
  );
}

/** `params` of the issue of a number that is not an integer. */
export const wholeNumber = { limit: 'whole' } as const;

/** Creates the schema of an integer of any size. zod's `int` refuses integers that a double can't represent exactly. */
export function whole(minimum = Number.NEGATIVE_INFINITY) {
  const number = z.number().refine(Number.isInteger, { abort: true, params: wholeNumber });
  return minimum === Number.NEGATIVE_INFINITY ? number : number.min(minimum);
}

/** Returns whether a number schema was created by `whole`. */
export function isWhole({ checks }: z.core.$ZodNumberDef): boolean {
  return checks?.some(check => (check._zod.def as { params?: { limit?: unknown } }).params?.limit === wholeNumber.limit) === true;
}

/** Creates the schema of an object that is distinguished by `type`. Additional fields are accepted. */
export function variant<const T extends string, F extends z.core.$ZodLooseShape = Record<never, never>>(type: T, fields?: F) {
  return z.looseObject({ type: z.literal(type), ...(fields as F) });
}

/** `params` of the issue of an open union with a known variant. The variant's own issues describe the problem. */
export const knownVariant = { variant: 'known' } as const;

/**
 * Creates a union of objects distinguished by `type`. Accepts an object of unknown `type` if it has the fields of `always`, because the
 * service adds variants by date suffix (contract, Versioning 5).
 */
export function openUnion<
  const T extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
  const F extends z.core.$ZodLooseShape = Record<never, never>,
>(variants: T, always?: F) {
  const known = z.discriminatedUnion('type', variants);
  const types = known._zod.propValues?.type ?? new Set();
  return z.union([
    known,
    z.looseObject({ type: z.string().refine(type => !types.has(type), { abort: true, params: knownVariant }), ...always }),
  ]);
}

/** Returns the variants of an `openUnion` and its schema for any other type, or `undefined` for any other union. */
export function sidesOfOpenUnion(union: z.core.$ZodUnionDef) {
  const [known, others] = union.options.map(option => (option as z.core.$ZodTypes)._zod.def);
  if (known?.type !== 'union' || others?.type !== 'object') {
    return undefined;
  }
  const checks = (others.shape.type as z.core.$ZodString | undefined)?._zod.def.checks ?? [];
  const isOpen = checks.some(check => (check._zod.def as { params?: unknown }).params === knownVariant);
  return isOpen ? { known: known as z.core.$ZodDiscriminatedUnionDef, others } : undefined;
}

export function knowsVariant(union: z.core.$ZodUnion, type: unknown): boolean {
  const types = union._zod.def.options[0]?._zod.propValues?.type;
  return types?.has(type as string) === true;
}

export const jsonObject = z.record(z.string(), z.unknown());

/** Ephemeral cache control (contract: `type` is `ephemeral`, `ttl` is optional). */
export const cacheControlSchema = z.looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish();

/** Creates the schema of an ID. Each field has its own schema object, so that lint rules can distinguish the fields. */
export const identifier = () => z.string().regex(/^[a-zA-Z0-9_-]+$/);
export const serverToolIdentifier = z.string().regex(/^srvtoolu_[a-zA-Z0-9_]+$/);
