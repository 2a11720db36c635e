import { mergeLines } from '../../resources/definitions';

/** What VS Code is told of the file of a prompt: it takes one for newer by its stamp, and only when its size is another. */
export interface PromptState {
  readonly stamp: number;
  readonly bytes: number;
}

/**
 * The system prompt of an agent as a document of its own, beside the document that it stands in. While it is not edited it follows that one.
 * Once it is, changes of both are merged by lines when it is saved; where both changed the same lines, VS Code finds a newer file, and lets the
 * user compare.
 */
export class PromptDocument {
  private stamp: number;
  /** Of what the editor was given. */
  private baseStamp: number;
  /** What stood in the agent's document when it was last looked at. */
  private seen: string;
  private isSettling = false;

  constructor(
    /** What the editor was given. */
    private base: string,
    stamp: number,
  ) {
    this.seen = base;
    this.stamp = stamp;
    this.baseStamp = stamp;
  }

  /** What stood in the agent's document when it was last looked at. */
  get latest(): string {
    return this.seen;
  }

  /** How the file stands. `edited` is what the editor holds and has not saved. */
  state(current: string, edited: string | undefined): PromptState {
    this.see(current);
    const isMerged = edited !== undefined && edited !== current && mergeLines(this.base, edited, current).isWhole;
    if (this.isSettling || isMerged || current === this.base) {
      return { stamp: this.baseStamp, bytes: Buffer.byteLength(this.base) };
    }
    const bytes = Buffer.byteLength(current);
    return { stamp: this.stamp, bytes: bytes === Buffer.byteLength(this.base) ? bytes + 1 : bytes };
  }

  /** The text to read. An editor that holds what is not saved only compares with it. */
  read(current: string, isEdited: boolean): string {
    this.see(current);
    if (!isEdited) {
      this.base = current;
      this.baseStamp = this.stamp;
    }
    return current;
  }

  /** What is to stand in the agent's document after saving `mine`. Where both changed the same lines the user has chosen theirs already. */
  save(mine: string, current: string): string {
    const merged = mergeLines(this.base, mine, current);
    return merged.isWhole ? merged.mine : mine;
  }

  /** `mine` was saved, and `written` stands in the agent's document now. Until `settle` the file is what was saved. */
  saved(mine: string, written: string): void {
    this.base = mine;
    this.seen = written;
    this.baseStamp = ++this.stamp;
    this.isSettling = written !== mine;
  }

  /** VS Code has taken in that it saved: whether there is something newer to read, which came of a merge. */
  settle(): boolean {
    const isNewer = this.isSettling;
    this.isSettling = false;
    this.stamp += isNewer ? 1 : 0;
    return isNewer;
  }

  private see(current: string): void {
    if (current !== this.seen) {
      this.seen = current;
      this.stamp++;
    }
  }
}
