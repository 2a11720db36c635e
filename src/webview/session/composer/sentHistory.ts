/** Sent messages, newest last, and the user's position among them. */
export interface SentHistory {
  readonly sent: readonly string[];
  /** Index of the displayed message; `sent.length` is the current draft. */
  readonly place: number;
  /** The draft from before the user stepped back. */
  readonly draft: string;
}

const maxMessages = 50;
const maxCharacters = 100_000;

/** Parses the output of `toMemory`. Returns an empty history for anything else. */
export function toSentHistory(memory: string): SentHistory {
  let sent: readonly string[] = [];
  try {
    const value: unknown = JSON.parse(memory);
    sent = Array.isArray(value) ? value.filter(text => typeof text === 'string') : [];
  } catch {
    // Nothing is saved yet.
  }
  return { sent, place: sent.length, draft: '' };
}

/** Returns the history as a text of bounded length. */
export function toMemory({ sent }: SentHistory): string {
  return JSON.stringify(sent);
}

/** Adds a sent message to the history, unless it repeats the last one. Drops the oldest if there are too many. */
export function withSent({ sent }: SentHistory, text: string): SentHistory {
  const all = text.length > maxCharacters || sent.at(-1) === text ? [...sent] : [...sent, text].slice(-maxMessages);
  let characters = all.reduce((sum, { length }) => sum + length, 0);
  while (characters > maxCharacters) {
    characters -= all.shift()?.length ?? 0;
  }
  return { sent: all, place: all.length, draft: '' };
}

/** Steps back (-1) or forward (1) in the history. Returns the text to show, or `undefined` at the ends. `text` is the text shown now. */
export function stepThrough(
  history: SentHistory,
  by: -1 | 1,
  text: string,
): { readonly history: SentHistory; readonly text: string } | undefined {
  const { sent } = history;
  // A changed message from the history is a new draft.
  const isDraft = history.place >= sent.length || sent[history.place] !== text;
  const place = (isDraft ? sent.length : history.place) + by;
  if (place < 0 || place > sent.length || (isDraft && by === 1)) {
    return undefined;
  }
  const draft = isDraft ? text : history.draft;
  return { history: { sent, place, draft }, text: place === sent.length ? draft : (sent[place] ?? '') };
}
