import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { customIdOf, type WantedLine } from '../../../jsonl/pretty/lineSearch';
import type { LineChange } from '../documents/lineChanges';
import { findAgain, followLine, type Lines } from './followLine';

/** Change of the line after the source changed. */
export type LineFate = 'same' | 'moved' | 'changed' | 'lost' | 'found';

/** Line of a source, tracked through change events and lookups. */
export class FollowedLine {
  private customId: string | undefined;
  private lost = false;
  /** Number of updates of the line's position. */
  private sightings = 0;

  constructor(private place: FoundLine) {
    this.customId = customIdOf(place.text);
  }

  /** The line, or its last known state if `isLost`. */
  get line(): FoundLine {
    return this.place;
  }

  get isLost(): boolean {
    return this.lost;
  }

  /** Criteria to find the line again in a source that was not watched. */
  get wanted(): WantedLine {
    return { ...this.place, customId: this.customId };
  }

  /** Applies one change event of the source's document. */
  follow(changes: readonly LineChange[] | undefined, document: Lines): LineFate {
    const find = this.lost ? findAgain : followLine;
    const line = find(this.wanted, changes, document);
    return this.moveTo(line === undefined ? undefined : { line, text: document.lineAt(line).text });
  }

  /** Looks the line up with `look`. Returns `undefined`, and ignores the result, if a change event was applied meanwhile. */
  async lookUp(look: (wanted: WantedLine) => Promise<FoundLine | undefined>): Promise<LineFate | undefined> {
    const { sightings } = this;
    const found = await look(this.wanted);
    return this.sightings === sightings ? this.moveTo(found) : undefined;
  }

  /** Updates the line. `undefined` means that it no longer exists. */
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
      // The id may be unreadable while the line is edited. Keep the last one.
      this.customId = customIdOf(found.text) ?? this.customId;
    }
    return wasLost ? 'found' : found.text !== before.text ? 'changed' : found.line !== before.line ? 'moved' : 'same';
  }
}
