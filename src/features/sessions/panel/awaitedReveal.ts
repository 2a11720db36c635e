import type { Row } from '../../../shared/session/rows/rows';
import type { ToWebview } from '../../../shared/session/sessionProtocol';
import type { PanelSource } from '../live/panelSource';

/** A position in a panel to show, and the part to focus. */
export interface Reveal {
  /** Event to scroll to. Missing if only the focus moves. */
  readonly eventId?: string;
  readonly focus?: 'composer' | 'ask';
}

/**
 * A reveal that waits until its event was read and a page can show it. It survives reloads and reconnects. It is only dropped if a page is
 * ready, everything was read, and the event is not there.
 */
export class AwaitedReveal {
  private awaited: Reveal | undefined;

  constructor(private readonly source: Pick<PanelSource, 'transcript' | 'view' | 'connection'>) {}

  /** Replaces the awaited reveal. */
  await(reveal: Reveal): void {
    this.awaited = reveal.eventId === undefined && reveal.focus === undefined ? undefined : reveal;
  }

  /** Returns the messages for a page that is ready and has its rows. Returns none while the reveal has to wait. */
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
    // Without an event id, reveals the first ask, which is only known once everything was read.
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

/** Returns whether everything was read, so that a missing event does not exist. */
function isAllRead({ connection: { name } }: Pick<PanelSource, 'connection'>): boolean {
  return name === 'live' || name === 'polling' || name === 'offlineFile';
}

/** Returns the key of the row of an event. Searches the newest first. */
function keyOfEvent(rows: readonly Row[], eventId: string): string | undefined {
  return rows.findLast(row => row.key === eventId || (row.kind === 'tool' && row.alsoKeys?.includes(eventId) === true))?.key;
}
