import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { customIdOf, type WantedLine } from '../../../jsonl/pretty/lineSearch';
import type { LineChange } from '../documents/lineChanges';
import { findAgain, followLine, type Lines } from './followLine';

/** What became of the line after the source changed. */
export type LineFate = 'same' | 'moved' | 'changed' | 'lost' | 'found';

/** One line of a source, known through its changes: those that are told as they happen, and those that a look at the source finds. */
export class FollowedLine {
  private customId: string | undefined;
  private lost = false;
  /** How often it was told where the line is. */
  private sightings = 0;

  constructor(private place: FoundLine) {
    this.customId = customIdOf(place.text);
  }

  /** The line, which is not there any more when `isLost`. */
  get line(): FoundLine {
    return this.place;
  }

  get isLost(): boolean {
    return this.lost;
  }

  /** By what the line is found again when its source was not watched for a while. */
  get wanted(): WantedLine {
    return { ...this.place, customId: this.customId };
  }

  /** Follows one event of the source's document. */
  follow(changes: readonly LineChange[] | undefined, document: Lines): LineFate {
    const find = this.lost ? findAgain : followLine;
    const line = find(this.wanted, changes, document);
    return this.moveTo(line === undefined ? undefined : { line, text: document.lineAt(line).text });
  }

  /** Takes in where `look` finds the line. What is told while it looks is newer than what it found: then nothing is taken in, undefined. */
  async lookUp(look: (wanted: WantedLine) => Promise<FoundLine | undefined>): Promise<LineFate | undefined> {
    const { sightings } = this;
    const found = await look(this.wanted);
    return this.sightings === sightings ? this.moveTo(found) : undefined;
  }

  /** Takes in where the line stands now; undefined: nowhere. */
  moveTo(found: FoundLine | undefined): LineFate {
    this.sightings++;
    if (found === undefined) {
      const fate = this.lost ? 'same' : 'lost';
      this.lost = true;
      return fate;
    }
    const before = this.place;
    const wasLost = this.lost;
    this.lost = false;
    this.place = found;
    if (found.text !== before.text) {
      // A line that is being typed in may have no id that can be read: it has the one it had.
      this.customId = customIdOf(found.text) ?? this.customId;
    }
    return wasLost ? 'found' : found.text !== before.text ? 'changed' : found.line !== before.line ? 'moved' : 'same';
  }
}
