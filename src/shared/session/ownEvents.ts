import { toDelivery } from './delivery';
import type { TranscriptEvent } from './event';
import { idOf, listOf, momentOf, objectOf, textOf } from './eventFields';
import { builderOf } from './rows/eventRows';
import { partLimit } from './rows/parts';
import { lastSeq } from './rows/previews';
import { RowSource } from './rows/rowSource';
import type { Delivery, Row } from './rows/rows';

/** Events that a user is sending, under the id that the panel made for the sending. */
export interface OwnSending {
  readonly clientId: string;
  readonly events: readonly TranscriptEvent[];
}

interface Own {
  readonly clientId: string;
  readonly key: string;
  event: TranscriptEvent;
  /** Key of the stored event it is taken for. */
  stored: string | undefined;
  /** The service itself named the stored event. */
  isConfirmed: boolean;
  delivery: Delivery;
  problem: string | undefined;
  row: Row | undefined;
}

/**
 * What the user sent and the log does not show yet. The stored event may come before or after the answer to the sending: one
 * that comes before is taken for it when it says the same, and the answer's ids settle which one it really was.
 */
export class OwnEvents {
  readonly #own: Own[] = [];
  /** Sendings of which everything was confirmed and shown. */
  readonly #done = new Set<string>();
  readonly #isInLog: (key: string) => boolean;

  constructor(isInLog: (key: string) => boolean) {
    this.#isInLog = isInLog;
  }

  /** Rows of what the log does not show. */
  get rows(): readonly Row[] {
    return this.#own.flatMap(own => {
      if (!rowTypes.has(own.event.type) || this.#isShown(own)) {
        return [];
      }
      own.row ??= toOwnRow(own);
      return [own.row];
    });
  }

  /** Ids of calls to which an answer is on its way. */
  get answering(): ReadonlySet<string> {
    const ids = this.#own
      .filter(own => own.delivery !== 'failed' && !this.#isShown(own))
      .map(({ event }) => textOf(event.tool_use_id) ?? textOf(event.custom_tool_use_id));
    return new Set(ids.filter(id => id !== undefined));
  }

  /** What was sent, by the key of its row. */
  eventOf(key: string): TranscriptEvent | undefined {
    return this.#own.find(own => keyOf(own) === key)?.event;
  }

  add({ clientId, events }: OwnSending): void {
    this.remove(clientId);
    this.#own.push(
      ...events.map((event, place): Own => {
        const key = `own ${clientId} ${place}`;
        return { clientId, key, event, stored: undefined, isConfirmed: false, delivery: 'sending', problem: undefined, row: undefined };
      }),
    );
  }

  /** The service has answered: these are the events as it stored them. */
  store({ clientId, events }: OwnSending): void {
    const left = [...events];
    for (const own of this.#own.filter(({ clientId: id }) => id === clientId)) {
      const place = left.findIndex(event => event.type === own.event.type);
      const event = place < 0 ? undefined : left.splice(place, 1)[0];
      const stored = event === undefined ? undefined : idOf(event);
      own.delivery = event === undefined ? 'delivered' : toDelivery(event);
      own.problem = undefined;
      own.row = undefined;
      if (event !== undefined && stored !== undefined) {
        this.#settle(own, event, stored);
      }
    }
    this.#forgetShown();
  }

  /** It could not be sent, or nobody knows: words stay with their problem. What the log shows all the same was sent. */
  fail(clientId: string, problem: string): void {
    this.#keep(own => own.clientId !== clientId || this.#isShown(own) || deliveryTypes.has(own.event.type));
    for (const own of this.#own) {
      if (own.clientId === clientId && !this.#isShown(own)) {
        own.delivery = 'failed';
        own.problem = problem;
        own.row = undefined;
      }
    }
  }

  remove(clientId: string): void {
    this.#keep(own => own.clientId !== clientId);
  }

  /** Whether the log shows all of a sending. */
  isStored(clientId: string): boolean {
    const sent = this.#own.filter(own => own.clientId === clientId);
    return sent.length === 0 ? this.#done.has(clientId) : sent.every(own => this.#isShown(own));
  }

  /** An event has come into the log under this key. */
  claim(key: string, event: TranscriptEvent): void {
    if (this.#own.length === 0 || !sentTypes.has(event.type)) {
      return;
    }
    if (this.#own.some(own => own.stored === key)) {
      this.#forgetShown();
      return;
    }
    const candidates = this.#own.filter(own => own.stored === undefined && saysTheSame(own.event, event));
    const own = candidates.find(({ delivery }) => delivery !== 'failed') ?? candidates[0];
    if (own !== undefined) {
      own.stored = key;
    }
  }

  /** What an answer has confirmed and the log shows needs no more care. */
  #forgetShown(): void {
    this.#keep(own => {
      const isDone = own.isConfirmed && this.#isShown(own);
      if (isDone) {
        this.#done.add(own.clientId);
      }
      return !isDone;
    });
  }

  #keep(isKept: (own: Own) => boolean): void {
    const kept = this.#own.filter(isKept);
    this.#own.splice(0, this.#own.length, ...kept);
  }

  #settle(own: Own, event: TranscriptEvent, stored: string): void {
    const other = this.#own.find(candidate => candidate !== own && candidate.stored === stored);
    if (other !== undefined) {
      other.stored = own.stored;
      other.row = undefined;
    }
    own.stored = stored;
    own.event = event;
    own.isConfirmed = true;
  }

  #isShown(own: Own): boolean {
    return own.stored !== undefined && this.#isInLog(own.stored);
  }
}

/** Types of events that clients send. */
export const sentTypes: ReadonlySet<string> = new Set([
  'user.message',
  'user.interrupt',
  'user.tool_confirmation',
  'user.custom_tool_result',
  'user.tool_result',
  'user.define_outcome',
  'system.message',
]);
/** Answers to calls have no row of their own: they show in that of the call. */
const rowTypes = new Set(['user.message', 'user.interrupt', 'user.define_outcome', 'system.message']);
/** Rows that say what became of them. */
const deliveryTypes = new Set(['user.message', 'user.define_outcome', 'system.message']);

function keyOf({ key, isConfirmed, stored }: Own): string {
  return isConfirmed && stored !== undefined ? stored : key;
}

function toOwnRow(own: Own): Row {
  const { event, delivery, problem } = own;
  const key = keyOf(own);
  const row = builderOf(event.type)(new RowSource(key, lastSeq, 0, builderOf(event.type)), {
    limit: partLimit,
    shownThread: undefined,
    eventAt: () => event,
    keyAt: () => key,
    momentAt: () => momentOf(event),
    takenUpBy: () => undefined,
    leftBy: () => undefined,
    agentNameOf: () => undefined,
  });
  const { thread: _, ...shown } = { thread: undefined, ...row };
  return { ...shown, ...(deliveryTypes.has(event.type) ? { delivery } : {}), ...(problem === undefined ? {} : { problem }) } as Row;
}

/** Whether a stored event has all that was sent, and only what the service adds besides. */
function saysTheSame(sent: TranscriptEvent, stored: TranscriptEvent): boolean {
  return Object.entries(sent).every(([field, value]) => value == null || isSame(toComparable(value), toComparable(stored[field])));
}

function toComparable(value: unknown): unknown {
  return typeof value === 'string' ? [{ type: 'text', text: value }] : value;
}

function isSame(sent: unknown, stored: unknown): boolean {
  if (Array.isArray(sent)) {
    const other = listOf(stored);
    return sent.length === other.length && sent.every((item, place) => isSame(item, other[place]));
  }
  const fields = objectOf(sent);
  const others = objectOf(stored);
  if (fields !== undefined && others !== undefined) {
    return Object.entries(fields).every(([field, value]) => value == null || isSame(value, others[field]));
  }
  return sent === stored;
}
