import type { SessionEvent } from '../schemas/sessionEvents';

/** Mixes all bits of a number. */
function finish(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const processedBit = 1;

/**
 * Fields that are always hashed whole: those that a person approves, and the processing time. A looser dialect has the call inside its
 * content.
 */
const wholeFields = new Set(['input', 'name', 'tool_name', 'mcp_server_name', 'evaluated_permission', 'processed_at']);

/**
 * Returns 32 bits that distinguish two bodies of one event, regardless of the order of their fields. The lowest bit is set if the service
 * had processed the event. Fields that some lists leave out of every event don't count; `null` equals absence. Everything that a person
 * approves counts whole: the input, name, server, permission and processing time of a call. Other texts over 1 KiB count by length, both
 * ends and every 61st character, and values nested deeper than 64 levels don't count. A change there is missed, as is one body in 2,147
 * million with the same bits.
 */
export function fingerprintOf(event: SessionEvent): number {
  let sum = 0;
  // Not `Object.entries`, which would allocate pairs: this runs for each copy of every event.
  for (const name of Object.keys(event)) {
    const value = event[name];
    if (value !== null && value !== undefined && name !== 'session_thread_id') {
      const isWhole = wholeFields.has(name) || (name === 'content' && isCall(event));
      const hash = isWhole ? hashValue(value, wholeDepth, hashWhole) : hashValue(value, sampledDepth, hashSampled);
      sum = (sum + finish(hashSampled(name) ^ Math.imul(hash, 0x9e3779b1))) | 0;
    }
  }
  const isWaiting = event.processed_at === null;
  return ((sum & ~processedBit) | (isWaiting ? 0 : processedBit)) >>> 0;
}

function isCall({ type }: SessionEvent): boolean {
  return type.endsWith('tool_use');
}

/** Returns whether the service had processed the event when it had this fingerprint. */
export function wasProcessed(fingerprint: number): boolean {
  return (fingerprint & processedBit) !== 0;
}

const sampledDepth = 64;
/** Maximum depth of fields that are hashed whole. Readers accept no deeper nesting. */
const wholeDepth = 512;

type TextHash = (text: string) => number;

/** Hashes a value up to `levels` levels deep. */
function hashValue(value: unknown, levels: number, hashText: TextHash): number {
  switch (typeof value) {
    case 'string':
      return hashText(value);
    case 'number':
      return hashWhole(String(value)) ^ 1;
    case 'boolean':
      return value ? 3 : 5;
    case 'object': {
      if (value === null || levels < 0) {
        return 7;
      }
      let sum = 11;
      if (Array.isArray(value)) {
        for (const element of value) {
          sum = Math.imul(sum ^ hashValue(element, levels - 1, hashText), 0x85ebca77);
        }
        return sum;
      }
      const members = value as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(members)) {
        sum = (sum + finish(hashText(name) ^ Math.imul(hashValue(members[name], levels - 1, hashText), 0x9e3779b1))) | 0;
      }
      return sum;
    }
    default:
      return 13;
  }
}

function hashWhole(text: string): number {
  return hashRange(text, 0, text.length, text.length);
}

/** Maximum length hashed whole, in characters. Longer texts are hashed by length, ends and a sample. */
const wholeText = 1024;
const sampleStep = 61;

function hashSampled(text: string): number {
  const { length } = text;
  if (length <= wholeText) {
    return hashWhole(text);
  }
  const edge = wholeText / 2;
  let hash = hashRange(text, 0, edge, length);
  for (let index = edge; index < length - edge; index += sampleStep) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hashRange(text, length - edge, length, hash);
}

function hashRange(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
