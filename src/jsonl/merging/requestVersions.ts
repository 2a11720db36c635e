import { readFileSync } from 'node:fs';
import { hashBytes } from '../arranging/paramsHash';
import { IdTable } from '../files/idTable';
import type { SentRequestFile } from './mergingJobs';

/** A request in one generation compared with that in the newest generation that sent it. */
export type RequestMatch = 'same' | 'other' | 'unknown';

interface Generation {
  /** By id: number of the file it was sent from, plus 1. 0 if it was not sent, or is the same as before. */
  readonly files: Uint32Array;
  /** By id: number of the hash of its request, plus 1. 0 if unknown. */
  readonly hashes: Uint32Array;
  readonly isRetry: boolean;
}

/**
 * Compares the requests that were sent with one id over the generations. A retry counts for the request that it retries too, and so does a
 * request without content of its own. Two requests are the same if their hashes or the bytes of their files are.
 */
export class RequestVersions {
  private readonly words = new IdTable();
  private readonly generations: Generation[] = [];

  constructor(private readonly ids: number) {}

  begin(isRetry: boolean): void {
    this.generations.push({ files: new Uint32Array(this.ids), hashes: new Uint32Array(this.ids), isRetry });
  }

  /** Adds the requests of one list of lines to the newest generation. `numbers` has their ids in the order of the list. */
  add({ sha256, hashesPath }: SentRequestFile, numbers: Uint32Array): void {
    const generation = this.generations.at(-1);
    if (generation === undefined) {
      return;
    }
    const file = this.words.addText(sha256) + 1;
    const hashes = hashesPath === undefined ? undefined : readFileSync(hashesPath);
    const isWhole = hashes?.length === numbers.length * hashBytes;
    for (const [place, id] of numbers.entries()) {
      generation.files[id] = file;
      generation.hashes[id] = isWhole ? this.words.add(hashes, place * hashBytes, (place + 1) * hashBytes) + 1 : 0;
    }
  }

  /** Compares the request of an id in the generation at index `place` of `sent` with the one sent last. */
  compare(id: number, sent: readonly number[], place: number): RequestMatch {
    const newest = sent.length - 1;
    const newestFrom = this.standsFor(id, sent, newest);
    if (place >= newestFrom) {
      return 'same';
    }
    let said: RequestMatch = 'other';
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

  /** Returns the index in `sent` of the last generation up to `place` that sent the request and is no retry; 0 if there is none. */
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

  private comparePair(id: number, one: number, other: number): RequestMatch {
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
