import type { Row } from '../../../shared/session/rows/rows';
import type { ToWebview } from '../../../shared/session/sessionProtocol';
import type { PanelSource } from './live/panelSource';

/** What is to be looked at in a panel, and where the keyboard is to be. */
export interface Reveal {
  /** The event to scroll to; absent where only the keyboard is meant. */
  readonly eventId?: string;
  readonly focus?: 'composer' | 'ask';
}

/**
 * Something that is to be looked at as soon as it has been read and there is a page to show it. It outlives all that comes before
 * either: only what is not there although everything has been read, and a page is there, is given up.
 */
export class AwaitedReveal {
  private awaited: Reveal | undefined;

  constructor(private readonly source: Pick<PanelSource, 'transcript' | 'view' | 'connection'>) {}

  /** Takes the place of what was awaited. */
  await(reveal: Reveal): void {
    this.awaited = reveal.eventId === undefined && reveal.focus === undefined ? undefined : reveal;
  }

  /** What a page that is there is to be told now, after its rows; nothing while it has to wait. */
  take(): readonly ToWebview[] {
    const { awaited } = this;
    if (awaited === undefined) {
      return [];
    }
    const messages = this.messagesFor(awaited);
    if (messages.length > 0 || isAllRead(this.source)) {
      this.awaited = undefined;
    }
    return messages;
  }

  private messagesFor({ eventId, focus }: Reveal): readonly ToWebview[] {
    if (focus === 'composer' && eventId === undefined) {
      return [{ type: 'focus', target: 'composer' }];
    }
    const { view } = this.source;
    // Of a session that is opened for whatever waits in it the first; what it is, is known once everything was read.
    const ask =
      eventId === undefined ? (isAllRead(this.source) ? view.asks[0] : undefined) : view.asks.find(one => one.eventId === eventId);
    const row = eventId === undefined ? undefined : keyOfEvent(this.source.transcript('')?.rows ?? [], eventId);
    const key = row ?? (ask?.rowKey || undefined);
    if (focus === 'ask') {
      if (ask !== undefined) {
        return [
          ...(key === undefined ? [] : [{ type: 'reveal', thread: '', key, leavesKeyboard: true } as const]),
          { type: 'focus', target: 'ask', eventId: ask.eventId },
        ];
      }
      if (!isAllRead(this.source)) {
        return [];
      }
    }
    if (key === undefined) {
      return [];
    }
    return focus === 'composer'
      ? [
          { type: 'reveal', thread: '', key, leavesKeyboard: true },
          { type: 'focus', target: 'composer' },
        ]
      : [{ type: 'reveal', thread: '', key }];
  }
}

/** Whether all there is has been read: what was not found then is not there. */
function isAllRead({ connection: { name } }: Pick<PanelSource, 'connection'>): boolean {
  return name === 'live' || name === 'polling' || name === 'offlineFile';
}

/** Key of the row that tells of an event; the youngest are looked at first. */
function keyOfEvent(rows: readonly Row[], eventId: string): string | undefined {
  return rows.findLast(row => row.key === eventId || (row.kind === 'tool' && row.alsoKeys?.includes(eventId) === true))?.key;
}
