import { randomBytes } from 'node:crypto';

/** Letters and digits at random, as the service's ids end. */
export function randomId(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(randomBytes(length), byte => letters[byte % letters.length]).join('');
}
