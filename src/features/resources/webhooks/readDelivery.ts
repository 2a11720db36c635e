import { isRecord } from '../../../shared/isRecord';

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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
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
