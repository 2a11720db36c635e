import * as z from 'zod';

/** Length of a text in characters as the service counts them: a surrogate pair is one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        index++;
      }
    }
  }
  return count;
}

/** What the issue of a text of the wrong length carries in `params`. */
export interface LengthParams {
  readonly limit: 'characters';
  readonly minimum: number;
  readonly maximum: number;
}

/** A string of `minimum` to `maximum` characters. zod's own `max` counts UTF-16 units and would be stricter than the service. */
export function characters(minimum: number, maximum: number) {
  const params: LengthParams = { limit: 'characters', minimum, maximum };
  return z.string().refine(
    text => {
      // Fewer units than the maximum are fewer characters too; a pair counts two units at most.
      const count = text.length <= maximum && text.length > minimum * 2 ? text.length : characterCount(text);
      return count >= minimum && count <= maximum;
    },
    { params: { ...params } },
  );
}

/** What the issue of a number that is not whole carries in `params`. */
export const wholeNumber = { limit: 'whole' } as const;

/** A whole number of any size: the contract sets no bound to an integer. zod's own `int` refuses what a double cannot count. */
export function whole(minimum = Number.NEGATIVE_INFINITY) {
  const number = z.number().refine(Number.isInteger, { abort: true, params: wholeNumber });
  return minimum === Number.NEGATIVE_INFINITY ? number : number.min(minimum);
}

/** Whether a number is one of `whole`. */
export function isWhole({ checks }: z.core.$ZodNumberDef): boolean {
  return checks?.some(check => (check._zod.def as { params?: { limit?: unknown } }).params?.limit === wholeNumber.limit) === true;
}

/** What the issue of an open union carries when a variant is known and its own issues say what is wrong. */
export const knownVariant = { variant: 'known' } as const;

/**
 * Objects told apart by `type`. A `type` that is none of the variants' is accepted with whatever fields it has, if only it has
 * `always`: the service adds variants by date suffix (contract, Versioning 5).
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

/** What `openUnion` was made of: the variants, and what it takes of any other type. Undefined of other unions. */
export function sidesOfOpenUnion(union: z.core.$ZodUnionDef) {
  const [known, others] = union.options.map(option => (option as z.core.$ZodTypes)._zod.def);
  if (known?.type !== 'union' || others?.type !== 'object') {
    return undefined;
  }
  const checks = (others.shape.type as z.core.$ZodString | undefined)?._zod.def.checks ?? [];
  const isOpen = checks.some(check => (check._zod.def as { params?: unknown }).params === knownVariant);
  return isOpen ? { known: known as z.core.$ZodDiscriminatedUnionDef, others } : undefined;
}

/** Whether `type` is one of the variants that an open union knows. */
export function knowsVariant(union: z.core.$ZodUnion, type: unknown): boolean {
  const types = union._zod.def.options[0]?._zod.propValues?.type;
  return types?.has(type as string) === true;
}

export const jsonObject = z.record(z.string(), z.unknown());

/** Ephemeral cache control (contract: `type` = `ephemeral`; optional `ttl`). */
export const cacheControlSchema = z.looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish();

/** Creates a schema of an id. Each field has its own schema object, by which rules tell the fields apart. */
export const identifier = () => z.string().regex(/^[a-zA-Z0-9_-]+$/);
export const serverToolIdentifier = z.string().regex(/^srvtoolu_[a-zA-Z0-9_]+$/);
