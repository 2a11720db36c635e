import type * as vscode from 'vscode';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { areTexts, StoredList } from '../../../common/storedList';
import type { FoundLine } from '../../../jsonl/pretty/lineInFile';
import { customIdOf, findLineIn, printOf, type TextPrint, type WantedLine } from '../../../jsonl/pretty/lineSearch';
import type { LineChange } from '../documents/lineChanges';
import { RequestText } from './requestText';

/** Effect of a source change on a tracked line. */
export type FollowedChange = 'same' | 'moved' | 'changed' | 'lost' | 'found';

/** Request that is edited as a document: its text, and its line in the source. The line is tracked by change events and lookups. */
export class EditedRequest {
  readonly text: RequestText;
  /** Stamp of the source on disk when the line was last read from it. */
  diskState: string | undefined;
  /** True once a message has explained that saving this document leaves the source unsaved. */
  isUnsavedReported = false;
  /** True while the line is being written. The resulting change event is ignored. */
  isWriting = false;
  isLost = false;
  /** File watcher of the source. */
  watcher: vscode.Disposable | undefined;
  private customId: string | undefined;
  /** Number of position updates. */
  private updates = 0;

  constructor(
    readonly id: string,
    readonly uri: vscode.Uri,
    public source: vscode.Uri,
    /** The line, or its last known state if `isLost`. */
    public line: FoundLine,
    indent: string,
    stamp: number,
  ) {
    this.customId = customIdOf(line.text);
    this.text = new RequestText(line.text, indent, stamp);
  }

  get record(): RequestEditorRecord {
    const { line, text } = this.line;
    const { stamp } = this.text.state;
    return { id: this.id, source: this.source.toString(), line, customId: this.customId, print: printOf(text), stamp };
  }

  get document(): vscode.TextDocument | undefined {
    return openDocumentOf(this.uri);
  }

  /** Criteria to find the line again after unwatched changes of the source. */
  get wanted(): WantedLine {
    return { ...this.line, customId: this.customId };
  }

  follow(changes: readonly LineChange[] | undefined, document: Lines): FollowedChange {
    const find = this.isLost ? findAgain : followLine;
    const line = find(this.wanted, changes, document);
    return this.moveTo(line === undefined ? undefined : { line, text: document.lineAt(line).text });
  }

  /** Finds the line with `find`. Ignores the result and returns `undefined` if a change event was applied meanwhile. */
  async locate(find: (wanted: WantedLine) => Promise<FoundLine | undefined>): Promise<FollowedChange | undefined> {
    const { updates } = this;
    const found = await find(this.wanted);
    return this.updates === updates ? this.moveTo(found) : undefined;
  }

  /** Updates the line. Pass `undefined` if the line no longer exists. */
  moveTo(found: FoundLine | undefined): FollowedChange {
    this.updates++;
    if (found === undefined) {
      const change = this.isLost ? 'same' : 'lost';
      this.isLost = true;
      return change;
    }
    const before = this.line;
    const wasLost = this.isLost;
    this.isLost = false;
    this.line = found;
    if (found.text !== before.text) {
      // The id is unreadable while the JSON of the line is broken. The last known id is kept until then.
      this.customId = customIdOf(found.text) ?? this.customId;
    }
    return wasLost ? 'found' : found.text !== before.text ? 'changed' : found.line !== before.line ? 'moved' : 'same';
  }
}

/** Stored state of a request document, used to restore it after a reload. Doesn't include the text of the line. */
export interface RequestEditorRecord {
  readonly id: string;
  readonly source: string;
  readonly line: number;
  readonly customId?: string | undefined;
  readonly print: TextPrint;
  readonly stamp: number;
}

/** Creates the stored list of the request documents of this workspace. Closed documents can be reopened for a limited time. */
export function createRequestEditorStore(state: vscode.Memento): StoredList<RequestEditorRecord> {
  return new StoredList(state, {
    key: 'requestEditors',
    max: 100,
    identity: ({ id }) => id,
    isEntry: ({ id, source, line, print }) => areTexts(id, source) && typeof line === 'number' && print !== undefined,
  });
}

export interface Lines {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/**
 * Returns the line number of a line after the changes of one event. An edited line keeps its identity. If lines were inserted or removed at
 * its position, searches the new lines for its text or its id. Returns `undefined` if the line no longer exists.
 */
export function followLine(wanted: WantedLine, changes: readonly LineChange[] | undefined, document: Lines): number | undefined {
  if (changes === undefined) {
    return findLineIn(document, wanted);
  }
  let line = wanted.line;
  for (const { start, removed, inserted } of changes) {
    if (line >= start + removed) {
      line += inserted - removed;
    } else if (line >= start && (removed > 1 || inserted > 1)) {
      const found = findAmong(document, { ...wanted, line }, start, inserted);
      if (found === undefined) {
        return undefined;
      }
      line = found;
    }
  }
  return line;
}

/** Returns the line number of a lost line if the changes have restored it. */
export function findAgain(wanted: WantedLine, changes: readonly LineChange[] | undefined, document: Lines): number | undefined {
  if (changes === undefined) {
    return findLineIn(document, wanted);
  }
  for (const { start, inserted } of changes) {
    const found = findAmong(document, { ...wanted, customId: undefined }, start, inserted);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function findAmong(document: Lines, wanted: WantedLine, start: number, count: number): number | undefined {
  const lineCount = Math.max(0, Math.min(count, document.lineCount - start));
  const part: Lines = { lineCount, lineAt: line => document.lineAt(start + line) };
  const found = findLineIn(part, { ...wanted, line: wanted.line - start });
  return found === undefined ? undefined : start + found;
}
