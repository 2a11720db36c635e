import { mergeLines } from '../../definitions/mergeDefinitions';
import { memberOf, parseLoose } from '../../../../jsonl/guide/looseJson';
import { isRecord } from '../../../../shared/isRecord';
import { jsonOf, toDefinitionText } from '../../definitions/definitionText';

/**
 * System prompt of an agent in its own document. Until it is edited, it follows the agent's document. After that, saving merges the changes
 * of both documents line by line. If both changed the same lines, VS Code sees a newer file and offers to compare them.
 */
export class PromptDocument {
  private stamp: number;
  /** Stamp of `base`. */
  private baseStamp: number;
  /** Prompt in the agent's document when it was last read. */
  private shownText: string;
  private isSettling = false;

  constructor(
    /** Text that the editor last loaded or saved. */
    private base: string,
    stamp: number,
  ) {
    this.shownText = base;
    this.stamp = stamp;
    this.baseStamp = stamp;
  }

  get latest(): string {
    return this.shownText;
  }

  /**
   * Returns the state of the file for VS Code, which considers a file newer if its stamp is higher and its size differs. `edited` is the
   * unsaved text of the editor.
   */
  state(current: string, edited: string | undefined): { readonly stamp: number; readonly bytes: number } {
    this.update(current);
    const isMerged = edited !== undefined && edited !== current && mergeLines(this.base, edited, current).isWhole;
    if (this.isSettling || isMerged || current === this.base) {
      return { stamp: this.baseStamp, bytes: Buffer.byteLength(this.base) };
    }
    const bytes = Buffer.byteLength(current);
    return { stamp: this.stamp, bytes: bytes === Buffer.byteLength(this.base) ? bytes + 1 : bytes };
  }

  /** Returns the text to read. If the editor has unsaved edits, VS Code reads the text only to compare, so the base stays. */
  read(current: string, isEdited: boolean): string {
    this.update(current);
    if (!isEdited) {
      this.base = current;
      this.baseStamp = this.stamp;
    }
    return current;
  }

  /**
   * Returns the prompt to write to the agent's document when `mine` is saved. If both changed the same lines, the user has already chosen
   * to overwrite theirs.
   */
  save(mine: string, current: string): string {
    const merged = mergeLines(this.base, mine, current);
    return merged.isWhole ? merged.mine : mine;
  }

  /**
   * Records that `mine` was saved and that `written` is now in the agent's document. Until `settle`, the file's state is that of `mine`.
   */
  saved(mine: string, written: string): void {
    this.base = mine;
    this.shownText = written;
    this.baseStamp = ++this.stamp;
    this.isSettling = written !== mine;
  }

  /** Records that VS Code finished its save. Returns whether a merge produced newer text to read. */
  settle(): boolean {
    const isNewer = this.isSettling;
    this.isSettling = false;
    this.stamp += isNewer ? 1 : 0;
    return isNewer;
  }

  private update(current: string): void {
    if (current !== this.shownText) {
      this.shownText = current;
      this.stamp++;
    }
  }
}

/**
 * Returns the system prompt in the text of an agent's document. `undefined` if the text is not a JSON object or the prompt is not a string.
 */
export function promptIn(document: string): string | undefined {
  const agent = jsonOf(document);
  const prompt = isRecord(agent) ? (agent.system ?? '') : undefined;
  return typeof prompt === 'string' ? prompt : undefined;
}

/**
 * Replaces the system prompt in the text of an agent's document and leaves everything else unchanged. An empty prompt becomes `null`, which
 * clears it. Throws if the document has no prompt (`promptIn`).
 */
export function withPrompt(document: string, prompt: string): string {
  const agent = jsonOf(document);
  if (!isRecord(agent) || promptIn(document) === undefined) {
    throw new Error('unreachable: the document has no prompt');
  }
  const system = prompt === '' ? null : prompt;
  if (prompt === promptIn(document)) {
    return document;
  }
  const wanted = { ...agent, system };
  const root = parseLoose(document);
  const value = memberOf(document, root, 'system')?.value;
  const written = JSON.stringify(system);
  const target = value ?? (root && { start: root.start + 1, end: root.start + 1 });
  const inserted = value === undefined ? `\n  "system": ${written}${Object.keys(agent).length === 0 ? '\n' : ','}` : written;
  const edited = target && `${document.slice(0, target.start)}${inserted}${document.slice(target.end)}`;
  // With a duplicate key, for example, the edit may change the wrong member.
  return edited !== undefined && JSON.stringify(sorted(jsonOf(edited))) === JSON.stringify(sorted(wanted))
    ? edited
    : toDefinitionText(wanted);
}

function sorted(value: unknown): unknown {
  return isRecord(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value;
}
