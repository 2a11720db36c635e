import { createHmac, timingSafeEqual } from 'node:crypto';
import { describeDuration, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { jsonOf } from '../definitions/definitionText';

export interface Verification {
  /** True if a receiver that follows the scheme accepts the delivery: one of its signatures is valid, and it is not too old. */
  readonly isValid: boolean;
  /** Problems, the most likely cause first, and further remarks, as sentences. */
  readonly findings: readonly string[];
}

/** Maximum difference between the delivery's timestamp and now, in seconds (API facts, section 17). */
const tolerance = 5 * 60;

/** Verifies a delivery by the Standard Webhooks scheme, offline, and describes its problems in plain sentences. */
export function verifyDelivery(delivery: ReceivedDelivery, secrets: readonly string[], context: PresentationContext): Verification {
  const { translate } = context;
  const { id, timestamp, signature } = partsOf(delivery);
  const missing = Object.entries({ id, timestamp, signature })
    .filter(([, value]) => !value)
    .map(([name]) => translate('The header {0} is missing.', `webhook-${name}`));
  const badForms = secrets.flatMap(secret => formFindings(secret, translate));
  if (missing.length > 0) {
    return { isValid: false, findings: [...missing, ...badForms] };
  }
  const timing = timeFindings(timestamp, context);
  const signatures = signature.split(/\s+/).filter(part => part !== '');
  const known = signatures.filter(part => part.startsWith('v1,')).map(part => part.slice('v1,'.length));
  const content = signedContent(id, timestamp, delivery.body);
  const isSigned = secrets.some(secret => {
    const key = keyOf(secret);
    return key !== undefined && known.some(one => isSameSignature(one, signatureOf(key, content)));
  });
  if (isSigned) {
    const rotated = signatures.length > 1 ? [translate('One of {0} signatures matches: the key is being rotated.', signatures.length)] : [];
    return { isValid: timing.length === 0, findings: [...timing, ...rotated] };
  }
  const why =
    known.length === 0
      ? translate('No signature starts with "v1,".')
      : signatures.length > 1
        ? translate('None of {0} signatures matches. Wrong secret, or the body was changed.', signatures.length)
        : translate("Signature doesn't match. Wrong secret, or the body was changed.");
  return { isValid: false, findings: [...badForms, why, ...timing] };
}

/** Returns the signature headers of a delivery, with any of their prefixes. */
export function partsOf({ headers }: Pick<ReceivedDelivery, 'headers'>) {
  const of = (name: string) => headers[`webhook-${name}`] ?? headers[`x-webhook-${name}`] ?? headers[`svix-${name}`] ?? '';
  return { id: of('id'), timestamp: of('timestamp'), signature: of('signature') };
}

function formFindings(secret: string, translate: Translate): readonly string[] {
  if (secret.trim() !== secret) {
    return [translate('Remove spaces and invisible characters.')];
  }
  if (!secret.startsWith(secretPrefix)) {
    return [translate('The secret must start with "{0}".', secretPrefix)];
  }
  return keyOf(secret) === undefined ? [translate("The secret isn't valid Base64. Copy it again.")] : [];
}

function timeFindings(timestamp: string, { translate, locale, now }: PresentationContext): readonly string[] {
  const seconds = Number(timestamp);
  if (!/^\d{1,16}$/.test(timestamp) || seconds > 1e11) {
    return [translate('The header {0} must be in seconds since 1970.', 'webhook-timestamp')];
  }
  const age = Math.round(now / 1000) - seconds;
  if (age > tolerance) {
    return [translate('{0} old: receivers refuse deliveries older than 5 minutes.', describeDuration(age * 1000, locale))];
  }
  return age < -tolerance ? [translate("{0} ahead of this machine's clock.", describeDuration(-age * 1000, locale))] : [];
}

const secretPrefix = 'whsec_';

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
function isSameSignature(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Delivery as received, or as parsed from a text. Header names are in lower case. */
export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Parses the headers and body of a delivery: an HTTP request with or without its first line, or JSON `{"headers": {...}, "body": "..."}`.
 * Returns `undefined` for any other text. An HTTP body is kept byte for byte. A body that the JSON contains as an object can't be verified
 * and sets `isReserialised`.
 */
export function readDelivery(text: string): (ReceivedDelivery & { readonly isReserialised?: boolean }) | undefined {
  const plain = text.replace(/^\uFEFF/, '');
  return plain.trimStart().startsWith('{') ? fromJson(plain) : fromHttp(plain);
}

function fromJson(text: string): ReturnType<typeof readDelivery> {
  const value = jsonOf(text);
  if (!isRecord(value) || !isRecord(value.headers)) {
    return undefined;
  }
  const headers = Object.fromEntries(
    Object.entries(value.headers).flatMap(([name, field]) => {
      const first = Array.isArray(field) ? field[0] : field;
      return typeof first === 'string' || typeof first === 'number' ? [[name.toLowerCase(), String(first)]] : [];
    }),
  );
  const { body, rawBody } = value;
  const raw = [rawBody, body].find(field => typeof field === 'string');
  if (typeof raw === 'string') {
    return { headers, body: Buffer.from(raw) };
  }
  return body === undefined ? undefined : { headers, body: Buffer.from(JSON.stringify(body)), isReserialised: true };
}

function fromHttp(text: string): ReceivedDelivery | undefined {
  const gap = /\r?\n\r?\n/.exec(text);
  const head = gap === null ? text : text.slice(0, gap.index);
  const body = gap === null ? '' : text.slice(gap.index + gap[0].length);
  const lines = head.split(/\r?\n/).filter(line => line.trim() !== '' && !/^(?:###|\/\/|#)/.test(line));
  const [first = ''] = lines;
  const headerLines = /^[A-Z]+ \S+(?: HTTP\/[\d.]+)?$/.test(first) ? lines.slice(1) : lines;
  const headers: Record<string, string> = {};
  for (const line of headerLines) {
    const colon = line.indexOf(':');
    if (colon <= 0) {
      return undefined;
    }
    headers[line.slice(0, colon).trim().toLowerCase()] ??= line.slice(colon + 1).trim();
  }
  return Object.keys(headers).length === 0 ? undefined : { headers, body: Buffer.from(body) };
}
