import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { jsonOf } from '../../../shared/jsonOf';

export interface Verification {
  /** True if a receiver that follows the scheme accepts the delivery. The delivery then has a valid signature and is not too old. */
  readonly isValid: boolean;
  /** Problems and further remarks as sentences, the most likely cause first. */
  readonly findings: readonly string[];
}

/** Maximum difference between the delivery's timestamp and now, in seconds (API facts, section 17). */
const tolerance = 5 * 60;

/**
 * Verifies a delivery by the Standard Webhooks scheme, offline, and describes its problems in plain sentences. If no signature is valid,
 * looks for a common mistake that explains one of the signatures. `now` is in milliseconds since 1970.
 */
export function verifyDelivery(delivery: ReceivedDelivery, secrets: readonly string[], now: number, translate: Translate): Verification {
  const parts = partsOf(delivery);
  const { id, timestamp, signature } = parts;
  const badForms = secrets.flatMap(secret => formProblem(secret, translate) ?? []);
  const missing = Object.entries(parts).flatMap(([name, value]) =>
    value ? [] : [translate('The header {0} is missing.', `webhook-${name}`)],
  );
  if (missing.length > 0) {
    return { isValid: false, findings: [...missing, ...badForms] };
  }
  const timing = timeProblem(timestamp, now, translate);
  const signatures = signature.split(/\s+/).filter(part => part !== '');
  const known = signatures.filter(part => part.startsWith('v1,')).map(part => part.slice('v1,'.length));
  const content = signedContent(id, timestamp, delivery.body);
  const isMade = secrets.some(secret => {
    const key = keyOf(secret);
    return key !== undefined && known.some(one => isSameSignature(one, signatureOf(key, content)));
  });
  const isRotated = signatures.length > 1;
  if (isMade) {
    const rotated = isRotated ? [translate('One of {0} signatures matches: the key is being rotated.', signatures.length)] : [];
    return { isValid: timing.length === 0, findings: [...timing, ...rotated] };
  }
  const slip = slipOf(parts, delivery.body, signatures, secrets, translate);
  const other = isRotated
    ? translate('None of {0} signatures matches. Wrong secret, or the body was changed.', signatures.length)
    : translate("Signature doesn't match. Wrong secret, or the body was changed.");
  const versions = known.length === 0 ? [translate('No signature starts with "v1,".')] : [];
  const cause = slip ?? (versions.length > 0 ? [] : other);
  return { isValid: false, findings: [...badForms, ...versions, ...[cause].flat(), ...timing] };
}

/** Returns the signature headers of a delivery, with any of their prefixes. */
export function partsOf({ headers }: Pick<ReceivedDelivery, 'headers'>) {
  const of = (name: string) => headers[`webhook-${name}`] ?? headers[`x-webhook-${name}`] ?? headers[`svix-${name}`] ?? '';
  return { id: of('id'), timestamp: of('timestamp'), signature: of('signature') };
}

function formProblem(secret: string, translate: Translate): string | undefined {
  if (secret.trim() !== secret) {
    return translate('Remove spaces and invisible characters.');
  }
  if (!secret.startsWith(secretPrefix)) {
    return translate('The secret must start with "{0}".', secretPrefix);
  }
  return keyOf(secret) === undefined ? translate("The secret isn't valid Base64. Copy it again.") : undefined;
}

function timeProblem(timestamp: string, now: number, translate: Translate): readonly string[] {
  const seconds = Number(timestamp);
  if (!/^\d{1,16}$/.test(timestamp) || seconds > 1e11) {
    return [translate('The header {0} must be in seconds since 1970.', 'webhook-timestamp')];
  }
  const age = Math.round(now / 1000) - seconds;
  if (age > tolerance) {
    return [translate('The delivery is {0} old. Receivers reject deliveries older than 5 minutes.', ageWords(age, translate))];
  }
  return age < -tolerance ? [translate("The timestamp is {0} ahead of this machine's clock.", ageWords(-age, translate))] : [];
}

function ageWords(seconds: number, translate: Translate): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours >= 48
    ? translate('{0} days', Math.floor(hours / 24))
    : hours >= 2
      ? translate('{0} hours', hours)
      : minutes === 1
        ? translate('1 minute')
        : translate('{0} minutes', minutes);
}

/** Returns a common mistake that explains one of the signatures. `undefined` if no mistake does. */
function slipOf(
  { id, timestamp }: ReturnType<typeof partsOf>,
  body: Uint8Array,
  signatures: readonly string[],
  secrets: readonly string[],
  translate: Translate,
): string | undefined {
  const given = signatures.map(part => part.replace(/^v\d+[a-z]?[,=]/, ''));
  const isGiven = (signature: string) => given.some(one => isSameSignature(one, signature));
  const keys = secrets.flatMap(secret => keyOf(secret) ?? []);
  const content = signedContent(id, timestamp, body);
  for (const key of keys) {
    const reserialised = bodiesLike(body).find(([, other]) => isGiven(signatureOf(key, signedContent(id, timestamp, other))));
    if (reserialised !== undefined) {
      return translate('The body was changed: {0}. Verify the bytes before parsing.', translate(reserialised[0]));
    }
    const order = ordersOf(id, timestamp, body).find(([, other]) => isGiven(signatureOf(key, other)));
    if (order !== undefined) {
      return translate('The signature covers "{0}" instead of "id.timestamp.body".', order[0]);
    }
    const right = Buffer.from(signatureOf(key, content), 'base64');
    if (isGiven(right.toString('hex')) || isGiven(right.toString('base64url')) || isGiven(right.toString('base64').replaceAll('=', ''))) {
      return translate('The signature is right, but its Base64 padding is missing.');
    }
  }
  const asText = secrets.some(secret => textKeysOf(secret).some(key => isGiven(signatureOf(key, content))));
  return asText ? translate('Decode the part of the key after "{0}" from Base64.', secretPrefix) : undefined;
}

/** Returns keys that are often derived from a secret by mistake. */
function textKeysOf(secret: string): readonly Buffer[] {
  const rest = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  return [Buffer.from(secret), Buffer.from(rest), Buffer.from(rest, 'base64url')];
}

/** Returns the signed parts in other orders, each with the name of the order. */
function ordersOf(id: string, timestamp: string, body: Uint8Array): readonly (readonly [string, Buffer])[] {
  const bytes = Buffer.from(body);
  const of = (...parts: readonly (string | Buffer)[]) =>
    Buffer.concat(parts.flatMap((part, index) => [...(index === 0 ? [] : [Buffer.from('.')]), Buffer.from(part)]));
  return [
    ['timestamp.id.body', of(timestamp, id, bytes)],
    ['timestamp.body', of(timestamp, bytes)],
    ['id.body.timestamp', of(id, bytes, timestamp)],
    ['id.body', of(id, bytes)],
    ['body', bytes],
    ['idtimestampbody', Buffer.concat([Buffer.from(id + timestamp), bytes])],
  ];
}

/** Returns bodies with the same meaning but other bytes, each with a description of the change, to be translated. */
function bodiesLike(body: Uint8Array): readonly (readonly [string, Buffer])[] {
  const text = Buffer.from(body).toString('utf8');
  const plain: (readonly [string, string])[] = [
    ['line breaks', `${text}\n`],
    ['line breaks', `${text}\r\n`],
    ['line breaks', text.replace(/\r?\n$/, '')],
    ['line breaks', text.replace(/\r?\n/g, '\r\n')],
    ['line breaks', text.replace(/\r\n/g, '\n')],
  ];
  const value = jsonOf(text);
  if (value === undefined) {
    return plain.map(([what, other]) => [what, Buffer.from(other)] as const);
  }
  const written = 'the JSON was reformatted';
  const forms = [JSON.stringify(value), JSON.stringify(value, null, 2), JSON.stringify(value, null, 4), spaced(value)];
  const all = forms.flatMap(form => [form, `${form}\n`, escaped(form), escaped(form, false)]);
  return [...plain, ...all.map(form => [written, form] as const)].map(([what, other]) => [what, Buffer.from(other)] as const);
}

/** Formats JSON with a space after every colon and comma, as some languages do. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(spaced).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** Escapes all non-ASCII characters in JSON. Without `all`, escapes only characters that matter in HTML. */
function escaped(json: string, all = true): string {
  const wanted = all ? /[\u007f-\uffff]/g : /[<>&\u2028\u2029]/g;
  return json.replace(wanted, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const secretPrefix = 'whsec_';

/**
 * Decodes the key in a signing secret from Base64. Returns `undefined` if the secret is invalid (Standard Webhooks; API facts, section 17).
 */
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
