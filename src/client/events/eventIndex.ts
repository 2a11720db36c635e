import type { SessionEvent } from '../schemas/sessionEvents';

/** Where an event stands among those that were given, from 1, and what its body was like. */
export interface KnownEvent {
  readonly ordinal: number;
  readonly fingerprint: number;
}

const fields = 4;

/**
 * Which events were given: a table of 16 bytes for each (64 bits of a keyed hash of what names the event, its ordinal, a
 * fingerprint of its body), half to three quarters full: a million events take 32 MiB. Two of a million names are taken for one
 * with a probability of 3 in 100 million; the seeds are drawn anew for each table, so that nobody can choose names that collide.
 */
export class EventIndex {
  private slots = new Uint32Array(1024 * fields);
  private count = 0;
  private readonly seeds = crypto.getRandomValues(new Uint32Array(2));

  get size(): number {
    return this.count;
  }

  find(name: string): KnownEvent | undefined {
    const [high, low] = this.hash(name);
    const at = this.slotOf(high, low);
    const ordinal = this.slots[at + 2] ?? 0;
    return ordinal === 0 ? undefined : { ordinal, fingerprint: this.slots[at + 3] ?? 0 };
  }

  /** Adds a name, or changes the fingerprint of one that is there; gives its ordinal. */
  set(name: string, fingerprint: number): number {
    const [high, low] = this.hash(name);
    const at = this.slotOf(high, low);
    this.slots[at + 3] = fingerprint;
    const known = this.slots[at + 2] ?? 0;
    if (known !== 0) {
      return known;
    }
    const ordinal = ++this.count;
    this.slots[at] = high;
    this.slots[at + 1] = low;
    this.slots[at + 2] = ordinal;
    if (ordinal * fields * 4 > this.slots.length * 3) {
      this.grow();
    }
    return ordinal;
  }

  /** Index of the slot of a hash, or of the empty one where it would stand. */
  private slotOf(high: number, low: number): number {
    const { slots } = this;
    const mask = slots.length / fields - 1;
    let slot = low & mask;
    while (slots[slot * fields + 2] !== 0 && (slots[slot * fields] !== high || slots[slot * fields + 1] !== low)) {
      slot = (slot + 1) & mask;
    }
    return slot * fields;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += fields) {
      if (old[at + 2] !== 0) {
        this.slots.set(old.subarray(at, at + fields), this.slotOf(old[at] ?? 0, old[at + 1] ?? 0));
      }
    }
  }

  private hash(name: string): readonly [high: number, low: number] {
    let high = this.seeds[0] ?? 0;
    let low = this.seeds[1] ?? 0;
    for (let index = 0; index < name.length; index++) {
      const code = name.charCodeAt(index);
      high = Math.imul(high ^ code, 0x9e3779b1);
      high = (high << 13) | (high >>> 19);
      low = Math.imul(low ^ code, 0x85ebca77);
      low = (low << 17) | (low >>> 15);
    }
    return [finish(high ^ name.length), finish(low + name.length)];
  }
}

/** Spreads every bit of a number over all of them. */
function finish(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const processedBit = 1;

/** What somebody approves, and when it was taken up; a looser dialect has the call within its content. */
const wholeFields = new Set(['input', 'name', 'tool_name', 'mcp_server_name', 'evaluated_permission', 'processed_at']);

/**
 * 32 bits that tell two bodies of one event apart, whatever the order of their fields; the lowest says whether the service had
 * taken the event up. What lists of some servers leave out of every event does not count, nor does a null instead of nothing.
 *
 * All of what is approved counts: the input of a call, its name and server, its permission, and when it was taken up. Of other
 * fields a text longer than 1 KiB counts by its length, its ends and every 61st character, and what is nested deeper than 64
 * levels not at all: a change between those is missed, as is one body of 2,147 million that happens to have the same bits.
 */
export function fingerprintOf(event: SessionEvent): number {
  let sum = 0;
  // No pairs, which would be thrown away at once: this is done for each copy of every event.
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

/** Whether the service had taken the event up when it had the body of this fingerprint. */
export function wasProcessed(fingerprint: number): boolean {
  return (fingerprint & processedBit) !== 0;
}

const sampledDepth = 64;
/** Readers take nothing that is nested deeper. */
const wholeDepth = 512;

type TextHash = (text: string) => number;

/** Of a value down to so many levels below it. */
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

/** Of a long text the ends, the length and a sample between: it is looked at once for each copy of an event. */
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
