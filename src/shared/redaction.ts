import { toDecodedLayers } from './decodedLayers';
import { addressPassword, secretFields } from './secretFields';

/** Patterns of secrets. The groups match text before and after the secret, which stays unchanged. */
const patterns: readonly RegExp[] = [
  /\b(authorization["']?\s*[:=,]\s*["']?(?:(?:bearer|basic|digest|token)\s+)?)[^\s"',;]+/gi,
  /\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  /\b((?:x-)?api[-_]?key["']?\s*[:=,]\s*["']?)[^\s"',;]+/gi,
  /\b((?:set-)?cookie["']?\s*[:=,]\s*)[^\s][^\r\n]*/gi,
  new RegExp(`("(?:${secretFields}|token)"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+`, 'gi'),
  /()\bsk-[A-Za-z0-9_-]{6,}/gi,
  addressPassword,
  // Error messages of `JSON.parse` quote the invalid text.
  /(\bUnexpected token )[\s\S]{1,200}?(?= is not valid JSON)/g,
  /()"[^"\n]{0,200}"(?= is not valid JSON)/g,
];

const redacted = '[redacted]';
/** Minimum length of a part of a key that is hidden, in characters. A shorter part reveals too little of the key. */
const partLength = 8;
/** Minimum length of a hidden key, in characters. A shorter key can occur in any text. */
const shortestKey = 4;

/**
 * Returns a text with `[redacted]` in place of secrets in any encoding: authentication headers, cookies, API keys, fields that hold
 * secrets, `keys`, and text quoted in errors of `JSON.parse`.
 */
export function redact(text: string, keys: Iterable<string> = []): string {
  let shown = withoutMarked(text, redacted, false, markPatterns);
  for (const key of keys) {
    shown = concealed(shown, key, redacted);
  }
  return shown;
}

/** Replaces a key in a text with `instead`, in any encoding. Also replaces any eight consecutive characters of the key. */
export function concealed(text: string, key: string | undefined, instead = '[key]'): string {
  const parts = key === undefined ? undefined : toParts(key);
  return parts === undefined ? text : withoutMarked(text, instead, true, (layer, mark) => markParts(layer, parts, mark));
}

type Mark = (start: number, end: number) => void;

function markPatterns(text: string, mark: Mark): void {
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      mark(match.index + (match[1]?.length ?? 0), match.index + match[0].length - (match[2]?.length ?? 0));
    }
  }
}

interface Parts {
  readonly length: number;
  readonly texts: ReadonlySet<string>;
}

function toParts(key: string): Parts | undefined {
  if (key.length < shortestKey) {
    return undefined;
  }
  const length = Math.min(partLength, key.length);
  // The decoders return UTF-8 bytes, one character per byte.
  const bytes = Array.from(new TextEncoder().encode(key), byte => String.fromCharCode(byte)).join('');
  const texts = [key, bytes]
    .map(toLowerCase)
    .flatMap(form => Array.from({ length: form.length - length + 1 }, (_, at) => form.slice(at, at + length)));
  return { length, texts: new Set(texts) };
}

function markParts(text: string, { length, texts }: Parts, mark: Mark): void {
  const lower = toLowerCase(text);
  for (let at = 0; at + length <= lower.length; at++) {
    if (texts.has(lower.slice(at, at + length))) {
      mark(at, at + length);
    }
  }
}

/** Converts only ASCII letters to lower case, because converting other letters can change the length of a text. */
function toLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}

/**
 * Replaces the characters marked by `find`, which searches the text and the texts that it encodes. `isJoined` also ignores white space and
 * invisible characters.
 */
function withoutMarked(text: string, instead: string, isJoined: boolean, find: (layer: string, mark: Mark) => void): string {
  const isHidden = new Uint8Array(text.length);
  let isAny = false;
  for (const layer of toDecodedLayers(text, isJoined)) {
    find(layer.text, (start, end) => {
      isAny = true;
      isHidden.fill(1, layer.startOf(start), layer.endOf(end - 1));
    });
  }
  if (!isAny) {
    return text;
  }
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const next = isHidden.indexOf(isHidden[at] === 1 ? 0 : 1, at);
    const end = next < 0 ? text.length : next;
    shown += isHidden[at] === 1 ? instead : text.slice(at, end);
    at = end;
  }
  return shown;
}
