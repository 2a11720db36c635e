/** Messages that were sent, newest last, and where in them the user is. */
export interface SentHistory {
  readonly sent: readonly string[];
  /** Place of the message that is shown; `sent.length` is what the user writes now. */
  readonly place: number;
  /** What the user was writing before walking back. */
  readonly draft: string;
}

const mostMessages = 50;
const mostCharacters = 100_000;

/** Reads what `toMemory` wrote; anything else is an empty history. */
export function toSentHistory(memory: string): SentHistory {
  let sent: readonly string[] = [];
  try {
    const value: unknown = JSON.parse(memory);
    sent = Array.isArray(value) ? value.filter(text => typeof text === 'string') : [];
  } catch {
    // Nothing was written yet.
  }
  return { sent, place: sent.length, draft: '' };
}

/** The history as a text of bounded length. */
export function toMemory({ sent }: SentHistory): string {
  return JSON.stringify(sent);
}

/** The history after a message was sent. One that was sent just before is not held twice; the oldest give way. */
export function withSent({ sent }: SentHistory, text: string): SentHistory {
  const all = text.length > mostCharacters || sent.at(-1) === text ? [...sent] : [...sent, text].slice(-mostMessages);
  let characters = all.reduce((sum, { length }) => sum + length, 0);
  while (characters > mostCharacters) {
    characters -= all.shift()?.length ?? 0;
  }
  return { sent: all, place: all.length, draft: '' };
}

/** One step back (-1) or forward in the history, and the text to show; undefined where it ends. `text` is what is shown now. */
export function stepThrough(
  history: SentHistory,
  by: -1 | 1,
  text: string,
): { readonly history: SentHistory; readonly text: string } | undefined {
  const { sent } = history;
  // A message that was taken from the history and changed is a new draft.
  const isDraft = history.place >= sent.length || sent[history.place] !== text;
  const place = (isDraft ? sent.length : history.place) + by;
  if (place < 0 || place > sent.length || (isDraft && by === 1)) {
    return undefined;
  }
  const draft = isDraft ? text : history.draft;
  return { history: { sent, place, draft }, text: place === sent.length ? draft : (sent[place] ?? '') };
}
