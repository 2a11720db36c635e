import { randomBytes } from 'node:crypto';

/** Returns random letters and digits, as at the end of the service's ids. */
export function randomId(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(randomBytes(length), byte => letters[byte % letters.length]).join('');
}
