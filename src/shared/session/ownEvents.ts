import { defined } from '../defined';
import { answerTypes, deliveryTypes, sentTypes, toDelivery } from './deliveries';
import { type TranscriptEvent, threadOf } from './event';
import { idOf, listOf, objectOf, textOf } from './eventFields';
import { Timeline } from './facts/timeline';
import { lastSeq } from './rows/previews';
import type { Delivery, Row } from './rows/rows';

/** Events that a user is sending, with the client id of the send. */
export interface OwnSending {
  readonly clientId: string;
  readonly events: readonly TranscriptEvent[];
}

interface Own {
  readonly clientId: string;
  readonly key: string;
  event: TranscriptEvent;
  stored: string | undefined;
  /** True if the service's response named the stored event. */
  isConfirmed: boolean;
  delivery: Delivery;
  problem: string | undefined;
}

/**
 * Events that the user sent and that are not in the log yet. The stored event may arrive before or after the response. An event that
 * arrives before the response is matched by content. The ids in the response then confirm or correct the match.
 */
export class OwnEvents {
  #own: readonly Own[] = [];
  /** Client ids of sends whose events are all confirmed and shown. */
  readonly #done = new Set<string>();

  constructor(private readonly isInLog: (key: string) => boolean) {}

  get rows(): readonly Row[] {
    return this.#own.filter(own => !answerTypes.has(own.event.type) && !this.#isShown(own)).map(toOwnRow);
  }

  get answering(): ReadonlySet<string> {
    const ids = this.#own
      .filter(own => own.delivery !== 'failed' && !this.#isShown(own))
      .map(({ event }) => textOf(event.tool_use_id) ?? textOf(event.custom_tool_use_id));
    return new Set(ids.filter(id => id !== undefined));
  }

  eventOf(key: string): TranscriptEvent | undefined {
    return this.#own.find(own => keyOf(own) === key)?.event;
  }

  add({ clientId, events }: OwnSending): void {
    this.remove(clientId);
    const added = events.map((event, index): Own => {
      const key = `own ${clientId} ${index}`;
      return { clientId, key, event, stored: undefined, isConfirmed: false, delivery: 'sending', problem: undefined };
    });
    this.#own = [...this.#own, ...added];
  }

  /** Handles the service's response, which contains the stored `events`. */
  store({ clientId, events }: OwnSending): void {
    const unmatched = [...events];
    for (const own of this.#own.filter(({ clientId: id }) => id === clientId)) {
      const index = unmatched.findIndex(event => event.type === own.event.type);
      const event = index < 0 ? undefined : unmatched.splice(index, 1)[0];
      const stored = event && idOf(event);
      own.delivery = event === undefined ? 'delivered' : toDelivery(event);
      own.problem = undefined;
      if (event !== undefined && stored !== undefined) {
        // An equal message may have been matched with this event.
        const other = this.#own.find(candidate => candidate !== own && candidate.stored === stored);
        if (other !== undefined) {
          other.stored = own.stored;
        }
        Object.assign(own, { stored, event, isConfirmed: true });
      }
    }
    this.#forgetShown();
  }

  /** Handles a failed or uncertain send. Keeps the messages and marks them with the problem. Events that are in the log count as sent. */
  fail(clientId: string, problem: string): void {
    this.#own = this.#own.filter(own => own.clientId !== clientId || this.#isShown(own) || deliveryTypes.has(own.event.type));
    for (const own of this.#own) {
      if (own.clientId === clientId && !this.#isShown(own)) {
        own.delivery = 'failed';
        own.problem = problem;
      }
    }
  }

  remove(clientId: string): void {
    this.#own = this.#own.filter(own => own.clientId !== clientId);
  }

  forgetFailed(isSame: (event: TranscriptEvent) => boolean): void {
    this.#own = this.#own.filter(own => own.delivery !== 'failed' || !isSame(own.event));
  }

  /** Adds the sends of another transcript that the service has not stored yet. */
  takeOver(other: OwnEvents): void {
    const pending = other.#own.filter(own => (own.delivery === 'sending' || own.delivery === 'failed') && !other.#isShown(own));
    this.#own = [...this.#own, ...pending.map(own => ({ ...own, stored: undefined }))];
  }

  isStored(clientId: string): boolean {
    const sent = this.#own.filter(own => own.clientId === clientId);
    return sent.length === 0 ? this.#done.has(clientId) : sent.every(own => this.#isShown(own));
  }

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

  #forgetShown(): void {
    const shown = this.#own.filter(own => own.isConfirmed && this.#isShown(own));
    for (const { clientId } of shown) {
      this.#done.add(clientId);
    }
    this.#own = this.#own.filter(own => !shown.includes(own));
  }

  #isShown(own: Own): boolean {
    return own.stored !== undefined && this.isInLog(own.stored);
  }
}

function keyOf({ key, isConfirmed, stored }: Own): string {
  return isConfirmed && stored !== undefined ? stored : key;
}

function toOwnRow(own: Own): Row {
  const { event, delivery, problem } = own;
  const timeline = new Timeline(threadOf(event));
  timeline.add(event);
  const [row] = timeline.sources.map(source => timeline.build(source));
  const state = deliveryTypes.has(event.type) ? { delivery } : {};
  return { ...row, key: keyOf(own), seq: lastSeq, ...state, ...defined({ problem }) } as Row;
}

/** Returns whether a stored event contains everything that was sent. The service may add fields. */
export function saysTheSame(sent: TranscriptEvent, stored: TranscriptEvent): boolean {
  return Object.entries(sent).every(([field, value]) => value == null || isSame(toComparable(value), toComparable(stored[field])));
}

function toComparable(value: unknown): unknown {
  return typeof value === 'string' ? [{ type: 'text', text: value }] : value;
}

function isSame(sent: unknown, stored: unknown): boolean {
  if (Array.isArray(sent)) {
    const other = listOf(stored);
    return sent.length === other.length && sent.every((item, index) => isSame(item, other[index]));
  }
  const fields = objectOf(sent);
  const others = objectOf(stored);
  if (fields !== undefined && others !== undefined) {
    return Object.entries(fields).every(([field, value]) => value == null || isSame(value, others[field]));
  }
  return sent === stored;
}
