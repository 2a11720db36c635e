import { hasSameTokens, toPretty } from '../../../jsonl/pretty/prettyLine';
import { mergeRequests } from './mergeRequests';

/** A line of the source with the text that shows it. */
interface Shown {
  readonly line: string;
  readonly text: string;
}

/** What the document was begun from, and what its file would be read as: VS Code asks for both. */
export interface RequestTextState {
  /** Milliseconds; larger for every text that came after another. */
  readonly stamp: number;
  readonly bytes: number;
  readonly text: string;
}

/**
 * The text of one request as a document, beside the line it stands for. While the document is clean it follows the line; once it
 * is edited, a line that changes too makes a conflict, which a merge or the user settles. VS Code itself notices the conflict when
 * it saves, by `state`: a file that is newer, and of another size, than the one it has read.
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

  get hasConflict(): boolean {
    return this.newer !== undefined;
  }

  /** Whether there is a conflict that `state` did not show when its stamp was `stamp`. */
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
    // VS Code takes a newer file of the same size for the same file.
    return { stamp, bytes: newerBytes === bytes ? bytes + 1 : newerBytes, text };
  }

  /**
   * Tells the line as it stands now. `edited` is the document's text while it has unsaved changes. Answers whether the document is
   * to be read again.
   */
  see(line: string, edited: string | undefined): boolean {
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
    this.take(newer);
    return true;
  }

  /** Both changes together, when there is a conflict and they touch different places; undefined otherwise. */
  merge(edited: string): string | undefined {
    return this.newer === undefined ? undefined : mergeRequests(this.base.text, edited, this.newer.text);
  }

  /** The merged text stands in the document: it is begun from the newer line now, under the stamp that VS Code has read. */
  acceptMerge(): void {
    if (this.newer !== undefined) {
      this.base = { line: this.newer.line, text: this.newer.text };
      this.newer = undefined;
    }
  }

  /** The document was saved as `text`, which the line stands for now. */
  save(line: string, text: string): void {
    this.take({ line, text, stamp: (this.newer?.stamp ?? this.stamp) + 1 });
  }

  private take({ line, text, stamp }: Shown & { readonly stamp: number }): void {
    this.base = { line, text };
    this.stamp = stamp;
    this.newer = undefined;
  }
}
