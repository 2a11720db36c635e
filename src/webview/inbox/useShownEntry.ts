import { useEffect, useRef, useState } from 'preact/hooks';
import type { InboxEntry, InboxView } from '../../shared/inbox/inboxProtocol';

/** What is on the card: something that waits, or something that no longer does, with a word why. */
export type Shown =
  | { readonly name: 'waiting'; readonly entry: InboxEntry }
  | { readonly name: 'gone'; readonly entry: InboxEntry; readonly words: string }
  | { readonly name: 'nothing' };

export interface ShownEntry {
  readonly shown: Shown;
  /** Shows this one. */
  readonly choose: (id: string) => void;
  /** Shows the one after it. */
  readonly next: () => void;
}

/**
 * Which of the inbox is on the card. It stays there, whatever comes or goes before it, until it is answered from here: then the next
 * one comes up. What was answered elsewhere stays too, and says so: nothing else may come under a finger that is about to press.
 */
export function useShownEntry(view: InboxView, kept: string | undefined, onShown: (id: string | undefined) => void): ShownEntry {
  const { entries, left } = view;
  const [chosen, choose] = useState(kept);
  const last = useRef<InboxEntry>(undefined);
  const place = useRef(0);
  const found = entries.findIndex(({ ask }) => ask.eventId === chosen);
  const words = found === -1 && last.current?.ask.eventId === chosen ? left.findLast(({ id }) => id === chosen)?.words : undefined;
  const index = found === -1 ? (place.current < entries.length ? place.current : 0) : found;
  // The one of before a reload may be read a moment later than others.
  const isAwaited = found === -1 && chosen !== undefined && last.current === undefined && !view.isRead;
  const entry = isAwaited ? undefined : entries[index];
  const goneEntry = last.current;
  const shown: Shown =
    words !== undefined && goneEntry !== undefined
      ? { name: 'gone', entry: goneEntry, words }
      : entry === undefined
        ? { name: 'nothing' }
        : { name: 'waiting', entry };
  const id = shown.name === 'nothing' ? undefined : shown.entry.ask.eventId;
  if (shown.name === 'waiting') {
    place.current = index;
    last.current = shown.entry;
  }
  useEffect(() => {
    if (id !== undefined) {
      choose(id);
    }
    onShown(shown.name === 'waiting' ? id : undefined);
  }, [id, shown.name]);
  return {
    shown,
    choose,
    next: () => {
      const after = shown.name === 'gone' ? entries[index] : entries[(index + 1) % Math.max(1, entries.length)];
      last.current = undefined;
      choose(after?.ask.eventId);
    },
  };
}
