import * as z from 'zod';
import { message } from '../message';

const number = z
  .int()
  .min(0)
  .max(2 ** 31);

/** Returns the schema of the messages from a panel that lists pairs. Positions count the pairs that the filter lists. */
export function fromPairsSchema<const F extends readonly string[], const A extends readonly string[], const P extends readonly string[]>(
  filters: F,
  acts: A,
  pairActs: P,
) {
  const filter = z.enum(filters);
  return z.discriminatedUnion('type', [
    message('ready'),
    message('window', { filter, from: number, count: number.max(200) }),
    message('open', { filter, place: number }),
    message('pair', { filter, place: number, act: z.enum(pairActs) }),
    message('act', { act: z.enum(acts) }),
    message('openLink', { href: z.string().max(8192) }),
    message('copyText', { text: z.string().max(10_000_000) }),
  ]);
}
