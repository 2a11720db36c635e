import { createHmac, timingSafeEqual } from 'node:crypto';

/** Prefix of a signing secret in its usual form. */
export const secretPrefix = 'whsec_';

/** Decodes the key in a signing secret from Base64. Returns `undefined` if it is invalid (Standard Webhooks; API facts, section 17). */
export function keyOf(secret: string): Buffer | undefined {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const isBase64 = text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, 'base64') : undefined;
}

/** Returns the signature of a content in Base64. */
export function signatureOf(key: Uint8Array, content: Uint8Array): string {
  return createHmac('sha256', key).update(content).digest('base64');
}

/** Returns the signed content: ID, time and body, separated by dots. */
export function signedContent(id: string, timestamp: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
}

/** Compares two signatures in constant time. */
export function isSameSignature(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
