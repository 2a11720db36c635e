import { useEffect, useRef, useState } from 'preact/hooks';
import type { InboxEntry, InboxView, QuestionEntry } from '../../shared/inbox/inboxProtocol';

/** An open ask or a question. */
export type InboxItem = InboxEntry | QuestionEntry;

export function isQuestion(item: InboxItem): item is QuestionEntry {
  return !('ask' in item);
}

export function idOfItem(item: InboxItem): string {
  return isQuestion(item) ? item.id : item.ask.eventId;
}

/**
 * Returns the item on the card. It stays until it is answered here, even if items before it appear or disappear; then the next one is
 * shown. An ask that was answered elsewhere also stays, with a note (`goneWords`), because the card must not change just before a click.
 */
export function useShownEntry(view: InboxView, saved: string | undefined, onShown: (id: string | undefined) => void) {
  const { left } = view;
  const items: readonly InboxItem[] = [...view.entries, ...view.questions];
  const [chosen, choose] = useState(saved);
  const last = useRef<InboxItem>(undefined);
  const position = useRef(0);
  const found = items.findIndex(item => idOfItem(item) === chosen);
  const goneWords =
    found === -1 && last.current !== undefined && idOfItem(last.current) === chosen
      ? left.findLast(({ id }) => id === chosen)?.words
      : undefined;
  const index = found === -1 ? (position.current < items.length ? position.current : 0) : found;
  // No item is shown before all are read, because the first one is not known yet. The user can select one.
  const isAwaited = found === -1 && !view.isRead;
  const item = goneWords !== undefined ? last.current : isAwaited ? undefined : items[index];
  const id = item && idOfItem(item);
  const isWaiting = item !== undefined && goneWords === undefined;
  if (isWaiting) {
    position.current = index;
    last.current = item;
  }
  useEffect(() => {
    if (id !== undefined) {
      choose(id);
    }
    onShown(isWaiting ? id : undefined);
  }, [id, isWaiting]);
  return {
    ...{ item, id, goneWords, choose },
    next: (): void => {
      const after = goneWords !== undefined ? items[index] : items[(index + 1) % Math.max(1, items.length)];
      last.current = undefined;
      choose(after && idOfItem(after));
    },
  };
}
