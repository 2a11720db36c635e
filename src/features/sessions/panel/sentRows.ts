import { isDeepStrictEqual } from 'node:util';
import type { Row, RowSplice } from '../../../shared/session/rows/rows';

/** Maximum number of rows, and approximate maximum number of characters, in one message. */
const maxRows = 2000;
const maxCharacters = 2_000_000;

/** Text added to a part of a message that is being written. */
interface PreviewText {
  readonly key: string;
  readonly part: number;
  readonly text: string;
}

/** Rows of one thread that the page has. */
export class SentRows {
  private rows: Row[] = [];

  /**
   * Returns the next changes: splices that fit into one message, or text added to a message being written. Empty if there are no changes.
   */
  next(current: readonly Row[], limits = { rows: maxRows, characters: maxCharacters }): readonly RowSplice[] | PreviewText {
    const room = { ...limits };
    const splices = this.replaceOthers(current, room);
    return this.rows.length < current.length ? splices : this.updateChanged(current, room, splices);
  }

  /** Returns splices for the rows between the common start and the common end of both lists. */
  private replaceOthers(current: readonly Row[], room: Room): readonly RowSplice[] {
    const { rows } = this;
    const fewest = Math.min(rows.length, current.length);
    let start = 0;
    while (start < fewest && isSameRow(rows[start], current[start])) {
      start++;
    }
    let end = 0;
    while (end < fewest - start && isSameRow(rows.at(-1 - end), current.at(-1 - end))) {
      end++;
    }
    const remove = rows.length - start - end;
    const added: Row[] = [];
    for (let at = start; at < current.length - end && hasRoom(room); at++) {
      const row = current[at] as Row;
      added.push(row);
      spend(room, row);
    }
    if (remove === 0 && added.length === 0) {
      return [];
    }
    this.rows = [...rows.slice(0, start), ...added, ...rows.slice(start + remove)];
    return [{ at: start, remove, rows: added }];
  }

  private updateChanged(current: readonly Row[], room: Room, before: readonly RowSplice[]): readonly RowSplice[] | PreviewText {
    const changed: { at: number; remove: number; rows: Row[] }[] = [];
    let text: (PreviewText & { readonly at: number }) | undefined;
    for (let at = 0; at < current.length; at++) {
      const sent = this.rows[at] as Row;
      const row = current[at] as Row;
      if (sent === row) {
        continue;
      }
      const added = addedText(sent, row);
      if (added !== undefined) {
        text ??= { ...added, at };
        continue;
      }
      if (!isDeepStrictEqual(sent, row)) {
        if (!hasRoom(room)) {
          break;
        }
        spend(room, row);
        const last = changed.at(-1);
        if (last !== undefined && last.at + last.remove === at) {
          last.remove++;
          last.rows.push(row);
        } else {
          changed.push({ at, remove: 1, rows: [row] });
        }
      }
      this.rows[at] = row;
    }
    if (text === undefined || before.length + changed.length > 0) {
      return [...before, ...changed];
    }
    const { at, ...added } = text;
    this.rows[at] = current[at] as Row;
    return added;
  }
}

function isSameRow(one: Row | undefined, other: Row | undefined): boolean {
  return one === other || one?.key === other?.key;
}

interface Room {
  rows: number;
  characters: number;
}

function hasRoom({ rows, characters }: Room): boolean {
  return rows > 0 && characters > 0;
}

function spend(room: Room, row: Row): void {
  room.rows--;
  room.characters -= 300 + charactersIn(row, 4);
}

/** Returns the text that was added to a message that is being written, if nothing else in the message changed. */
function addedText(before: Row, now: Row): PreviewText | undefined {
  if (!('preview' in before && 'preview' in now && before.preview === true && now.preview === true)) {
    return undefined;
  }
  const textOf = (row: typeof now, part: number) => {
    const found = row.parts[part];
    return (found !== undefined && 'text' in found && found.text) || '';
  };
  const grown = now.parts.flatMap((_, part) => (textOf(before, part) === textOf(now, part) ? [] : [part]));
  const [part = 0, ...others] = grown;
  const text = textOf(now, part);
  const start = textOf(before, part);
  const isNextPart = part <= before.parts.length;
  return others.length === 0 && isNextPart && text.length > start.length && text.startsWith(start)
    ? { key: now.key, part, text: text.slice(start.length) }
    : undefined;
}

/** Returns the approximate size of a value in a message, in characters. */
function charactersIn(value: unknown, depth: number): number {
  if (typeof value === 'string') {
    return value.length;
  }
  if (typeof value !== 'object' || value === null || depth === 0) {
    return 0;
  }
  return Object.values(value).reduce((sum: number, inner) => sum + charactersIn(inner, depth - 1), 0);
}
