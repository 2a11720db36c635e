import { hasSameTokens, toPretty } from '../../../jsonl/pretty/prettyLine';
import { toRecord } from '../../../jsonl/results/resultWords';
import { jsonOf } from '../../../shared/jsonOf';
import type { EditedKind } from '../documents/requestFile';

interface Shown {
  readonly line: string;
  readonly text: string;
}

/** State of the virtual file. VS Code compares it with the document. */
interface RequestTextState {
  /** Modification time in milliseconds. Increases with every newer text. */
  readonly stamp: number;
  readonly bytes: number;
  readonly text: string;
}

/**
 * Formatted text of a request, and its line. The text follows the line while the document has no unsaved changes. If both change, there is
 * a conflict that the user resolves. VS Code detects the conflict on save, because the file in `state` is newer and has another size than
 * the file that VS Code has read.
 */
export class RequestText {
  private base: Shown;
  private newer: (Shown & { readonly stamp: number }) | undefined;

  constructor(
    line: string,
    private readonly indent: string,
    private stamp: number,
  ) {
    this.base = { line, text: toPretty(line, indent) };
  }

  /** Returns whether there is a conflict that is newer than the `state` with this `stamp`. */
  hasConflictSince(stamp: number): boolean {
    return this.newer !== undefined && this.newer.stamp !== stamp;
  }

  get state(): RequestTextState {
    const bytes = Buffer.byteLength(this.base.text);
    if (this.newer === undefined) {
      return { stamp: this.stamp, bytes, text: this.base.text };
    }
    const { stamp, text } = this.newer;
    const newerBytes = Buffer.byteLength(text);
    // VS Code ignores a newer file of the same size.
    return { stamp, bytes: newerBytes === bytes ? bytes + 1 : newerBytes, text };
  }

  /** Updates the line. `edited` is the document's text if it has unsaved changes. Returns whether VS Code must reload the document. */
  updateLine(line: string, edited: string | undefined): boolean {
    if (line === this.base.line) {
      this.newer = undefined;
      return false;
    }
    if (line === this.newer?.line && edited !== undefined) {
      return false;
    }
    if (hasSameTokens(line, this.base.line) || (edited !== undefined && hasSameTokens(line, edited))) {
      this.base = { line, text: this.base.text };
      this.newer = undefined;
      return false;
    }
    const stamp = line === this.newer?.line ? this.newer.stamp : (this.newer?.stamp ?? this.stamp) + 1;
    const newer = { line, text: toPretty(line, this.indent), stamp };
    if (edited !== undefined) {
      this.newer = newer;
      return false;
    }
    this.replaceBase(newer);
    return true;
  }

  save(line: string, text: string): void {
    this.replaceBase({ line, text, stamp: (this.newer?.stamp ?? this.stamp) + 1 });
  }

  private replaceBase({ line, text, stamp }: Shown & { readonly stamp: number }): void {
    this.base = { line, text };
    this.stamp = stamp;
    this.newer = undefined;
  }
}

/** Returns the kind of document for a line. A line with broken JSON is a request, unless it only has fields of message params. */
export function toEditedKind(line: string): EditedKind {
  const value = jsonOf(line);
  const has = (name: string) => (value === undefined ? new RegExp(`"${name}"\\s*:`).test(line) : Object.hasOwn(toRecord(value), name));
  return ['custom_id', 'params'].some(has) || !['messages', 'model', 'max_tokens'].some(has) ? 'request' : 'params';
}
