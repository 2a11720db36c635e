import { readFileSync } from 'node:fs';
import { hashBytes } from '../arranging/paramsHash';
import { IdTable } from '../files/idTable';
import { type LineMap, LineMapError, readLineMap } from '../files/lineMap';
import type { JoinedResults } from '../results/joinedResults';
import { failedStatus, storedAnswers } from '../results/resultStatus';
import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';
import type { ResultsReport } from '../results/resultsReport';

export interface MergeSource {
  /** Results to merge, oldest first. For each id, the last success for its newest request wins, or the last answer without a success. */
  readonly generations: readonly (JoinedResults & {
    /** Paths of the `lines.tsv` files of the generation. */
    readonly linesPaths: readonly string[];
    /** Minimum number of entries in each of `linesPaths`. A file with fewer entries is damaged. */
    readonly requestCounts?: readonly number[];
    /** True if the generation was sent from the same file as the first one. */
    readonly isSameSource: boolean;
    /** Hashes of the requests in each of `linesPaths`. Missing for parts of one file, whose requests can't differ. */
    readonly words?: readonly SentRequestFile[];
    /** True for an unchanged file of retries. Its answers count for what it retries, despite a raised `max_tokens`. */
    readonly isRetry?: boolean;
    /** Report of fetching or merging these results. Findings that the joined file doesn't contain are added to the merged report. */
    readonly report?: ResultsReport;
  })[];
  readonly joinedPath: string;
  readonly indexPath: string;
  /** Path for the history: the status of each request in each generation. */
  readonly historyPath?: string;
}

/** Content of the requests of one submission. */
export interface SentRequestFile {
  /** SHA-256 of the file. The same bytes have the same requests. */
  readonly sha256: string;
  /** Path of `requests.hash`. Without this file, the content of the requests is unknown. */
  readonly hashesPath?: string;
}

export type Generation = MergeSource['generations'][number] & { readonly contents: IndexContents };

/** Answer to use for each id. Generations and ids are numbers. */
export interface Merged {
  readonly generations: readonly Generation[];
  /** Ids of the first file in the order of its lines, then all others. */
  readonly ids: IdTable;
  /** 1 for each id that a generation is known to have sent. */
  readonly known: Uint8Array;
  /** Line of each id, 0-based, or -1. Ascending except for -1. */
  readonly lines: Int32Array;
  /** Answered ids, in the order of the joined file. */
  readonly order: Uint32Array;
  /** Generation of the answer to use, by id. */
  readonly generationOf: Uint16Array;
  /** Row of the answer to use in its generation, by id, or `none`. */
  readonly rowOf: Uint32Array;
  readonly fates: readonly Fates[];
  readonly reasons: IdTable;
  /** Total length of the lines to write, in bytes. */
  readonly bytes: number;
}

/** State of each id in one generation. */
interface Fates {
  readonly states: Uint8Array;
  /** Error type of a failure or stop reason of a success, by id: its index in `Merged.reasons` plus 1, or 0. */
  readonly reasons: Uint32Array;
}

/**
 * Values of `Fates.states`. An answered id has `Answered` plus the position of its status in `storedStatuses`. A flag marks an answer to a
 * request that differs, or may differ, from the newest request with that id.
 */
export enum Fate {
  NotSent = 0,
  Missing = 1,
  Answered = 2,
  Mask = 0x3f,
  OtherWords = 0x40,
  UnknownWords = 0x80,
}

interface GenerationFacts extends Fates {
  readonly isRetry: boolean;
  /** Row of the answer, or `none`. */
  readonly rows: Uint32Array;
  /** Number of the file that the request was sent from, plus 1. 0 if the request was not sent or the file is unknown. */
  readonly files: Uint32Array;
  /** Number of the hash of the request, plus 1. 0 if the hash is unknown. */
  readonly hashes: Uint32Array;
}

/** Decides which answers to use; see `mergeResults`. Throws `LineMapError`. */
export function findMerged(generations: readonly Generation[]): Merged {
  const maps = generations.map(({ linesPaths, requestCounts }) => linesPaths.map((path, at) => readLineMap(path, requestCounts?.[at])));
  const union = uniteLines(maps.filter((_, at) => generations[at]?.isSameSource === true).flat());
  const { ids } = union;
  const askedIds = ids.size;
  const sent = maps.map(list => list.map(map => ids.addAll(map.ids)));
  const answered = generations.map(({ contents }) => ids.addAll(contents.ids));
  const known = new Uint8Array(ids.size);
  const reasons = new IdTable();
  const sources = new IdTable();
  const fates = generations.map((generation, at): GenerationFacts => {
    const words = () => new Uint32Array(ids.size);
    const facts = { states: new Uint8Array(ids.size), reasons: words(), rows: words().fill(none), files: words(), hashes: words() };
    for (const [list, numbers] of (sent[at] ?? []).entries()) {
      for (const id of numbers) {
        known[id] = 1;
        facts.states[id] = Fate.Missing;
      }
      addSources(facts, sources, numbers, generation.words?.[list]);
    }
    const numbers = answered[at] as Uint32Array;
    addAnswers(facts, generation, numbers, reasons);
    if (generation.linesPaths.length === 0) {
      for (const id of generation.contents.rows.ids.subarray(0, generation.contents.rows.count)) {
        known[numbers[id] as number] = 1;
      }
    }
    return { ...facts, isRetry: generation.isRetry === true };
  });
  const { generationOf, rowOf } = chooseAnswers(fates, ids.size);
  const lines = new Int32Array(ids.size).fill(-1);
  lines.set(union.lines.subarray(0, askedIds));
  const order = rowOf.map((_, id) => id).filter(id => rowOf[id] !== none);
  let bytes = 0;
  for (const id of order) {
    const { rows } = (generations[generationOf[id] as number] as Generation).contents;
    bytes += rows.lengths[rowOf[id] as number] as number;
  }
  return { generations, ids, known, lines, order, generationOf, rowOf, fates, reasons, bytes };
}

/** Stores the file and the hash of each request in one list of lines. `numbers` has the ids in the order of the list. */
function addSources(
  { files, hashes }: Pick<GenerationFacts, 'files' | 'hashes'>,
  sources: IdTable,
  numbers: Uint32Array,
  words: SentRequestFile | undefined,
): void {
  if (words === undefined) {
    return;
  }
  const file = sources.addText(words.sha256) + 1;
  const bytes = words.hashesPath === undefined ? undefined : readFileSync(words.hashesPath);
  const isWhole = bytes?.length === numbers.length * hashBytes;
  for (const [index, id] of numbers.entries()) {
    files[id] = file;
    hashes[id] = isWhole ? sources.add(bytes, index * hashBytes, (index + 1) * hashBytes) + 1 : 0;
  }
}

function addAnswers(
  facts: Pick<GenerationFacts, 'states' | 'reasons' | 'rows'>,
  { contents }: Generation,
  numbers: Uint32Array,
  table: IdTable,
): void {
  const { rows } = contents;
  const reasons = [0, ...contents.reasons.map(text => table.addText(text) + 1)];
  for (let row = 0; row < rows.count; row++) {
    const id = numbers[rows.ids[row] as number] as number;
    const status = rows.statuses[row] as number;
    facts.states[id] = Fate.Answered + status;
    facts.reasons[id] = reasons[(status === failedStatus ? rows.errorTypes[row] : rows.stopReasons[row]) as number] as number;
    facts.rows[id] = row;
  }
}

/** Chooses for each id the last success, or else the last answer, to its newest request. Flags answers to other requests. */
function chooseAnswers(generations: readonly GenerationFacts[], ids: number): Pick<Merged, 'generationOf' | 'rowOf'> {
  const generationOf = new Uint16Array(ids);
  const rowOf = new Uint32Array(ids).fill(none);
  for (let id = 0; id < ids; id++) {
    const sent = generations.filter(({ states }) => states[id] !== Fate.NotSent);
    let hasSuccess = false;
    for (let index = sent.length - 1; index >= 0; index--) {
      const generation = sent[index] as GenerationFacts;
      const { states } = generation;
      const match = compareWithNewest(id, sent, index);
      const row = generation.rows[id] as number;
      const isSuccess = storedAnswers[(states[id] as number) - Fate.Answered] === true;
      if (match !== 'same') {
        states[id] = (states[id] as number) | (match === 'other' ? Fate.OtherWords : Fate.UnknownWords);
      } else if (row !== none && !hasSuccess && (isSuccess || rowOf[id] === none)) {
        generationOf[id] = generations.indexOf(generation);
        rowOf[id] = row;
        hasSuccess = isSuccess;
      }
    }
  }
  return { generationOf, rowOf };
}

/** Comparison of the request in one generation with the request in the newest generation that sent the id. */
type RequestMatch = 'same' | 'other' | 'unknown';

/**
 * Compares the request of an id in the generation `sent[index]` with its newest request. A retry is treated like the request that it
 * retries. A request whose file is unknown is treated like the request of the generation before. Two requests are the same if they have the
 * same hash or come from the same file.
 */
function compareWithNewest(id: number, sent: readonly GenerationFacts[], index: number): RequestMatch {
  const newest = sent.slice(standsFor(id, sent, sent.length - 1));
  if (index >= sent.length - newest.length) {
    return 'same';
  }
  let match: RequestMatch = 'other';
  for (const one of sent.slice(standsFor(id, sent, index), index + 1)) {
    for (const other of newest) {
      const found = comparePair(id, one, other);
      if (found === 'same') {
        return found;
      }
      match = found === 'unknown' ? found : match;
    }
  }
  return match;
}

/** Returns the last index in `sent` up to `index` that is not a retry and whose file is known, or 0. */
function standsFor(id: number, sent: readonly GenerationFacts[], index: number): number {
  return Math.max(
    0,
    sent.slice(0, index + 1).findLastIndex(({ isRetry, files }) => !isRetry && files[id] !== 0),
  );
}

function comparePair(id: number, a: GenerationFacts, b: GenerationFacts): RequestMatch {
  if (a.files[id] !== 0 && a.files[id] === b.files[id]) {
    return 'same';
  }
  if (a.hashes[id] === 0 || b.hashes[id] === 0) {
    return 'unknown';
  }
  return a.hashes[id] === b.hashes[id] ? 'same' : 'other';
}

/** Merges lists of lines into one, in line order. Throws a `LineMapError` if they contradict each other. */
function uniteLines(maps: readonly LineMap[]): { readonly ids: IdTable; readonly lines: Int32Array } {
  const ids = new IdTable();
  const lines = new Int32Array(maps.reduce((sum, map) => sum + map.lines.length, 0));
  // The order of lines, then of lists, as numbers: ten parts have a million lines.
  const order = new Float64Array(lines.length);
  let filled = 0;
  for (const [at, map] of maps.entries()) {
    for (const line of map.lines) {
      order[filled++] = line * maps.length + at;
    }
  }
  const next = maps.map(() => 0);
  for (const key of order.sort()) {
    const at = key % maps.length;
    const line = (key - at) / maps.length;
    const before = ids.size;
    const id = ids.addFrom((maps[at] as LineMap).ids, (next[at] as number)++);
    const isNew = id === before;
    if (isNew ? id > 0 && lines[id - 1] === line : lines[id] !== line) {
      throw new LineMapError(`The lists of lines and IDs of these batches differ at line ${line + 1}, so their results cannot be merged.`);
    }
    lines[id] = line;
  }
  return { ids, lines };
}
