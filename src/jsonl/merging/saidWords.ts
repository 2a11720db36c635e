import { readFileSync } from 'node:fs';
import { IdTable } from '../files/idTable';
import type { SentWords } from './mergingJobs';
import { hashBytes } from './paramsHash';

/** Whether a request said in one generation what it says in the newest one that it was sent in. */
export type Said = 'same' | 'other' | 'unknown';

interface Generation {
  /** Per id the file it was sent from, plus 1; 0 where it was not sent, or says what was said before. */
  readonly files: Uint32Array;
  /** Per id the hash of what it said, plus 1; 0 where nobody knows. */
  readonly hashes: Uint32Array;
  readonly isRetry: boolean;
}

/**
 * What each request said in each generation. A retry says what it says, and stands for what it is a retry of too; so does what is not
 * known to say anything of its own. Two say the same when their hashes are the same, or the bytes of their files.
 */
export class SaidWords {
  private readonly words = new IdTable();
  private readonly generations: Generation[] = [];

  constructor(private readonly ids: number) {}

  begin(isRetry: boolean): void {
    this.generations.push({ files: new Uint32Array(this.ids), hashes: new Uint32Array(this.ids), isRetry });
  }

  /** What the requests of one list of lines of the newest generation said. `numbers`: their ids, in the order of the list. */
  add({ sha256, hashesPath }: SentWords, numbers: Uint32Array): void {
    const generation = this.generations.at(-1);
    if (generation === undefined) {
      return;
    }
    const name = Buffer.from(sha256);
    const file = this.words.add(name, 0, name.length) + 1;
    const hashes = hashesPath === undefined ? undefined : readFileSync(hashesPath);
    const isWhole = hashes?.length === numbers.length * hashBytes;
    for (const [place, id] of numbers.entries()) {
      generation.files[id] = file;
      generation.hashes[id] = isWhole ? this.words.add(hashes, place * hashBytes, (place + 1) * hashBytes) + 1 : 0;
    }
  }

  /** Compares, for an id, what it said in the generation at `place` of those in which it was sent with the newest of them. */
  compare(id: number, sent: readonly number[], place: number): Said {
    const newest = sent.length - 1;
    const newestFrom = this.standsFor(id, sent, newest);
    if (place >= newestFrom) {
      return 'same';
    }
    let said: Said = 'other';
    for (let one = this.standsFor(id, sent, place); one <= place; one++) {
      for (let other = newestFrom; other <= newest; other++) {
        const found = this.comparePair(id, sent[one] as number, sent[other] as number);
        if (found === 'same') {
          return found;
        }
        said = found === 'unknown' ? found : said;
      }
    }
    return said;
  }

  /** The first of the generations in which the request was sent that the one at `place` stands for; those between belong to them. */
  private standsFor(id: number, sent: readonly number[], place: number): number {
    let first = place;
    while (first > 0) {
      const generation = this.generations[sent[first] as number];
      if (generation?.isRetry === false && generation.files[id] !== 0) {
        break;
      }
      first--;
    }
    return first;
  }

  private comparePair(id: number, one: number, other: number): Said {
    const a = this.generations[one];
    const b = this.generations[other];
    if (a?.files[id] !== 0 && a?.files[id] === b?.files[id]) {
      return 'same';
    }
    if (a?.hashes[id] === 0 || b?.hashes[id] === 0) {
      return 'unknown';
    }
    return a?.hashes[id] === b?.hashes[id] ? 'same' : 'other';
  }
}
