import { readFileSync } from 'node:fs';
import { hashBytes } from '../arranging/paramsHash';
import { IdTable } from '../files/idTable';
import { type LineMap, LineMapError, readLineMap } from '../files/lineMap';
import { storedAnswers, toStored } from '../results/resultStatus';
import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';
import type { MergeSource, SentRequestFile } from './mergingJobs';

export type Generation = MergeSource['generations'][number] & { readonly contents: IndexContents };

/** Answer to use for each id. Generations and ids are numbers. */
export interface Merged {
  readonly generations: readonly Generation[];
  /** Ids of the first file in the order of its lines, then all others. */
  readonly ids: IdTable;
  /** Number of `ids` from the first file. */
  readonly askedIds: number;
  /** 1 for each id that a generation is known to have sent. */
  readonly known: Uint8Array;
  /** Line of each id, 0-based, or -1. Ascending except for -1. */
  readonly lines: Int32Array;
  /** Answered ids, in the order of the joined file. */
  readonly order: Uint32Array;
  /** Generation of the answer to use, by id. */
  readonly generationOf: Uint16Array;
  /** Row of that answer in its generation, by id, or `none`. */
  readonly rowOf: Uint32Array;
  readonly fates: readonly Fates[];
  readonly reasons: IdTable;
  /** Total length of the lines to write, in bytes. */
  readonly bytes: number;
}

/** State of each id in one generation. */
export interface Fates {
  readonly states: Uint8Array;
  /** Number in the table of reasons, plus 1, of each id's error type, or of the stop reason of a success. 0 if there is none. */
  readonly reasons: Uint32Array;
}

/**
 * States in `Fates.states`: 0, 1, or a position in `storedStatuses` plus 2. A flag marks an answer to a request that is not, or may not be,
 * the newest with that id.
 */
export enum Fate {
  NotSent = 0,
  Missing = 1,
  Answered = 2,
  Mask = 0x3f,
  OtherWords = 0x40,
  UnknownWords = 0x80,
}

const failed = toStored('failed');

/** Decides which answers to use; see `mergeResults`. Throws `LineMapError`. */
export function findMerged(generations: readonly Generation[]): Merged {
  const maps = generations.map(({ linesPaths, requestCounts }) => linesPaths.map((path, at) => readLineMap(path, requestCounts?.[at])));
  const union = uniteLines(maps.filter((_, at) => generations[at]?.isSameSource === true).flat());
  const { ids } = union;
  const askedIds = ids.size;
  const sent = maps.map(list => list.map(map => ids.addAll(map.ids)));
  const answered = generations.map(({ contents }) => ids.addAll(contents.ids));
  const choice = new Choice(ids.size);
  for (const [at, generation] of generations.entries()) {
    choice.startGeneration(generation);
    for (const [list, numbers] of (sent[at] ?? []).entries()) {
      choice.addSent(numbers, generation.words?.[list]);
    }
    choice.addAnswers(generation, answered[at] as Uint32Array);
  }
  choice.decide();
  const lines = new Int32Array(ids.size).fill(-1);
  lines.set(union.lines.subarray(0, askedIds));
  const { known, generationOf, rowOf, fates, reasons } = choice;
  const order = rowOf.map((_, id) => id).filter(id => rowOf[id] !== none);
  let bytes = 0;
  for (const id of order) {
    const { rows } = (generations[generationOf[id] as number] as Generation).contents;
    bytes += rows.lengths[rowOf[id] as number] as number;
  }
  return { generations, ids, askedIds, known, lines, order, generationOf, rowOf, fates, reasons, bytes };
}

/** Collects sent requests and their answers, oldest first, and decides which answer to use for each id. */
class Choice {
  readonly known: Uint8Array;
  readonly generationOf: Uint16Array;
  readonly rowOf: Uint32Array;
  readonly fates: Fates[] = [];
  readonly reasons = new IdTable();
  private readonly said: RequestVersions;
  /** Row of the answer, or `none`, by generation and id. */
  private readonly rows: Uint32Array[] = [];
  private fate: Fates = { states: new Uint8Array(), reasons: new Uint32Array() };

  constructor(private readonly ids: number) {
    this.known = new Uint8Array(ids);
    this.generationOf = new Uint16Array(ids);
    this.rowOf = new Uint32Array(ids).fill(none);
    this.said = new RequestVersions(ids);
  }

  startGeneration({ isRetry = false }: Generation): void {
    this.fate = { states: new Uint8Array(this.ids), reasons: new Uint32Array(this.ids) };
    this.fates.push(this.fate);
    this.said.startGeneration(isRetry);
  }

  addSent(numbers: Uint32Array, words: SentRequestFile | undefined): void {
    for (const id of numbers) {
      this.known[id] = 1;
      this.fate.states[id] = Fate.Missing;
    }
    if (words !== undefined) {
      this.said.add(words, numbers);
    }
  }

  addAnswers({ contents, linesPaths }: Generation, numbers: Uint32Array): void {
    const { rows } = contents;
    const rowOf = new Uint32Array(this.ids).fill(none);
    this.rows.push(rowOf);
    const reasons = contents.reasons.map(text => this.reasons.addText(text) + 1);
    for (let row = 0; row < rows.count; row++) {
      const id = numbers[rows.ids[row] as number] as number;
      const status = rows.statuses[row] as number;
      const reason = (status === failed ? rows.errorTypes[row] : rows.stopReasons[row]) as number;
      this.fate.states[id] = Fate.Answered + status;
      this.fate.reasons[id] = reason === 0 ? 0 : (reasons[reason - 1] as number);
      if (linesPaths.length === 0) {
        this.known[id] = 1;
      }
      rowOf[id] = row;
    }
  }

  /**
   * Chooses for each id the last success, or else the last answer, among the answers to its newest request. Flags answers to other
   * requests.
   */
  decide(): void {
    const { fates, rows } = this;
    const sent: number[] = [];
    for (let id = 0; id < this.ids; id++) {
      sent.length = 0;
      for (const [generation, { states }] of fates.entries()) {
        if (states[id] !== Fate.NotSent) {
          sent.push(generation);
        }
      }
      let hasSuccess = false;
      for (let index = sent.length - 1; index >= 0; index--) {
        const generation = sent[index] as number;
        const states = (fates[generation] as Fates).states;
        const match = this.said.compare(id, sent, index);
        const row = rows[generation]?.[id] ?? none;
        const isSuccess = storedAnswers[(states[id] as number) - Fate.Answered] === true;
        if (match !== 'same') {
          states[id] = (states[id] as number) | (match === 'other' ? Fate.OtherWords : Fate.UnknownWords);
        } else if (row !== none && !hasSuccess && (isSuccess || this.rowOf[id] === none)) {
          this.generationOf[id] = generation;
          this.rowOf[id] = row;
          hasSuccess = isSuccess;
        }
      }
    }
  }
}

function uniteLines(maps: readonly LineMap[]): { readonly ids: IdTable; readonly lines: Int32Array } {
  const ids = new IdTable();
  const lines = new Int32Array(maps.reduce((sum, map) => sum + map.lines.length, 0));
  const next = maps.map(() => 0);
  for (;;) {
    let from = -1;
    let line = Number.POSITIVE_INFINITY;
    for (const [at, map] of maps.entries()) {
      const candidate = map.lines[next[at] as number];
      if (candidate !== undefined && candidate < line) {
        from = at;
        line = candidate;
      }
    }
    const map = maps[from];
    if (map === undefined) {
      return { ids, lines };
    }
    const number = next[from] as number;
    next[from] = number + 1;
    const before = ids.size;
    const id = ids.addFrom(map.ids, number);
    if (id === before) {
      if (id > 0 && lines[id - 1] === line) {
        throw contradiction(line);
      }
      lines[id] = line;
    } else if (lines[id] !== line) {
      throw contradiction(line);
    }
  }
}

function contradiction(line: number): LineMapError {
  return new LineMapError(
    `The lists of lines and ids that were kept for these batches do not agree about line ${line + 1}, so their results cannot be put together.`,
  );
}

/** Comparison of the request in one generation with that in the newest generation that sent it. */
export type RequestMatch = 'same' | 'other' | 'unknown';

interface SentGeneration {
  /** Number of the file that each id was sent from, plus 1. 0 if the id was not sent or its request is the same as before. */
  readonly files: Uint32Array;
  /** Number of the hash of each id's request, plus 1. 0 if the hash is unknown. */
  readonly hashes: Uint32Array;
  readonly isRetry: boolean;
}

/**
 * Compares the requests that were sent with one id over the generations. A retry is treated like the request that it retries. A request
 * whose file is unknown is treated like the one before it. Two requests are the same if they have the same hash or come from the same file.
 */
export class RequestVersions {
  private readonly words = new IdTable();
  private readonly generations: SentGeneration[] = [];

  constructor(private readonly ids: number) {}

  startGeneration(isRetry: boolean): void {
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
    for (const [index, id] of numbers.entries()) {
      generation.files[id] = file;
      generation.hashes[id] = isWhole ? this.words.add(hashes, index * hashBytes, (index + 1) * hashBytes) + 1 : 0;
    }
  }

  /** Compares the request of an id in the generation `sent[index]` with the newest request of that id. */
  compare(id: number, sent: readonly number[], index: number): RequestMatch {
    const newest = sent.length - 1;
    const newestFrom = this.standsFor(id, sent, newest);
    if (index >= newestFrom) {
      return 'same';
    }
    let match: RequestMatch = 'other';
    for (let one = this.standsFor(id, sent, index); one <= index; one++) {
      for (let other = newestFrom; other <= newest; other++) {
        const found = this.comparePair(id, sent[one] as number, sent[other] as number);
        if (found === 'same') {
          return found;
        }
        match = found === 'unknown' ? found : match;
      }
    }
    return match;
  }

  /** Returns the index in `sent` of the last generation up to `index` with a known file that is no retry, or 0 if there is none. */
  private standsFor(id: number, sent: readonly number[], index: number): number {
    let first = index;
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
