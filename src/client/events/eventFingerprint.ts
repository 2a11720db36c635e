import type { SessionEvent } from './eventLog';

const processedBit = 1;
/** Maximum depth of the values that are hashed. Readers accept no deeper nesting. */
const maxDepth = 512;

/**
 * Returns 32 bits that distinguish two bodies of one event, regardless of the order of their fields. The lowest bit is set if the service
 * had processed the event. Fields that some lists leave out of every event don't count, and `null` equals absence. A change is missed if
 * both bodies have the same bits, with a chance of one in 2,147 million.
 */
export function fingerprintOf(event: SessionEvent): number {
  let sum = 0;
  // Not `Object.entries`, which would allocate pairs for each copy of every event.
  for (const name of Object.keys(event)) {
    const value = event[name];
    if (value !== null && value !== undefined && name !== 'session_thread_id') {
      sum = (sum + hashField(name, value, maxDepth)) | 0;
    }
  }
  const isWaiting = event.processed_at === null;
  return ((sum & ~processedBit) | (isWaiting ? 0 : processedBit)) >>> 0;
}

/** Returns whether the service had processed the event when it had this fingerprint. */
export function wasProcessed(fingerprint: number): boolean {
  return (fingerprint & processedBit) !== 0;
}

/** Hashes a value up to `levels` levels deep. */
function hashValue(value: unknown, levels: number): number {
  switch (typeof value) {
    case 'string':
      return hashText(value);
    case 'number':
      return hashText(String(value)) ^ 1;
    case 'boolean':
      return value ? 3 : 5;
    case 'object': {
      if (value === null || levels < 0) {
        return 7;
      }
      let sum = 11;
      if (Array.isArray(value)) {
        for (const element of value) {
          sum = Math.imul(sum ^ hashValue(element, levels - 1), 0x85ebca77);
        }
        return sum;
      }
      const members = value as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(members)) {
        sum = (sum + hashField(name, members[name], levels - 1)) | 0;
      }
      return sum;
    }
    default:
      return 13;
  }
}

/** Hashes a field so that the sum over an object's fields does not depend on their order. */
function hashField(name: string, value: unknown, levels: number): number {
  let hash = hashText(name) ^ Math.imul(hashValue(value, levels), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function hashText(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
