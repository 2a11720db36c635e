import * as z from 'zod';

const number = z
  .int()
  .min(0)
  .max(2 ** 31);

/** Returns the schema of the messages from a panel that lists pairs (`FromPairs`), with its filters, acts, and acts on a pair. */
export function fromPairsSchema<const F extends readonly string[], const A extends readonly string[], const P extends readonly string[]>(
  filters: F,
  acts: A,
  pairActs: P,
) {
  const filter = z.enum(filters);
  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('ready') }),
    z.strictObject({ type: z.literal('window'), filter, from: number, count: number.max(200) }),
    z.strictObject({ type: z.literal('open'), filter, place: number }),
    z.strictObject({ type: z.literal('pair'), filter, place: number, act: z.enum(pairActs) }),
    z.strictObject({ type: z.literal('act'), act: z.enum(acts) }),
    z.strictObject({ type: z.literal('openLink'), href: z.string().max(8192) }),
    z.strictObject({ type: z.literal('copyText'), text: z.string().max(10_000_000) }),
  ]);
}
