import { writeLinesOf } from '../files/blockWriter';
import { IdTable } from '../files/idTable';
import type { PassContext } from '../files/lineFile';
import { idOf, type OtherLines, type WalkedLine, walkRequests } from '../files/requestWalk';
import { Tally } from '../files/tally';
import { ParamsHasher } from './paramsHash';

const maxGroups = 500;

/** Definition of a repeat: same params with any id, same params and id, or same id. */
export type RepeatKind = 'params' | 'request' | 'id';

export interface DuplicatesReport extends OtherLines {
  readonly requests: number;
  readonly repeats: Readonly<Record<RepeatKind, number>>;
  /** First groups of requests with equal params. */
  readonly sameParams: readonly DuplicateGroup[];
  readonly sameParamsGroups: number;
  /** First groups of requests with the same id but different params. */
  readonly sameIds: readonly DuplicateGroup[];
  readonly sameIdsGroups: number;
}

export interface DuplicateGroup {
  readonly first: DuplicateLine;
  /** Lines that repeat the first one, at most 20. */
  readonly later: readonly DuplicateLine[];
  readonly laterCount: number;
}

interface DuplicateLine {
  readonly line: number;
  /** `undefined` for bare message params. */
  readonly id: string | undefined;
}

/** Finds requests of a file that repeat earlier requests. Blocks the thread, so only for workers. */
export function findDuplicates({ path }: { readonly path: string }, context: PassContext): DuplicatesReport {
  const repeats = new Repeats();
  const sameParams = new Groups();
  const sameIds = new Groups();
  const counts: Record<RepeatKind, number> = { params: 0, request: 0, id: 0 };
  const lines: number[] = [];
  const visit = (line: WalkedLine) => {
    if (line.kind === 'broken') {
      return;
    }
    const found = repeats.find(line);
    for (const kind of ['params', 'request', 'id'] as const) {
      counts[kind] += isRepeat(found, kind) ? 1 : 0;
    }
    if (found.params >= 0) {
      sameParams.add(found.params, line);
    }
    if (found.id >= 0 && !found.isRequest) {
      sameIds.add(found.id, line);
    }
    lines.push(line.line);
  };
  const others = walkRequests(path, visit, context);
  const toLine = (request: number) => ({ line: lines[request] as number, id: repeats.idOf(request) });
  return {
    ...others,
    requests: lines.length,
    repeats: counts,
    sameParams: sameParams.list(toLine),
    sameParamsGroups: sameParams.count,
    sameIds: sameIds.list(toLine),
    sameIdsGroups: sameIds.count,
  };
}

/** Writes the lines of a file without requests that repeat an earlier request. Blocks the thread, so only for workers. */
export async function writeUnique(
  { path, outPath, by }: { readonly path: string; readonly outPath: string; readonly by: RepeatKind },
  context: PassContext,
): Promise<OtherLines & { readonly written: number; readonly dropped: number }> {
  const repeats = new Repeats();
  let dropped = 0;
  let written = 0;
  const others = await writeLinesOf([path], outPath, context, out =>
    walkRequests(
      path,
      line => {
        if (line.kind !== 'broken' && isRepeat(repeats.find(line), by)) {
          dropped++;
          return;
        }
        written++;
        out.add(line.bytes, line.start, line.end);
        out.addText('\n');
      },
      context,
    ),
  );
  return { ...others, written, dropped };
}

class Groups {
  private readonly byFirst = new Map<number, Tally<DuplicateLine>>();
  private readonly all = new Set<number>();

  get count(): number {
    return this.all.size;
  }

  add(first: number, line: WalkedLine): void {
    this.all.add(first);
    const group = this.byFirst.get(first) ?? (this.byFirst.size < maxGroups ? new Tally<DuplicateLine>() : undefined);
    if (group !== undefined) {
      this.byFirst.set(first, group);
      group.add(() => ({ line: line.line, id: idOf(line) }));
    }
  }

  list(toLine: (request: number) => DuplicateLine): readonly DuplicateGroup[] {
    const groups = [...this.byFirst].map(([first, { first: later, count }]) => ({ first: toLine(first), later, laterCount: count }));
    return groups.sort((a, b) => a.first.line - b.first.line);
  }
}

/** Numbers (0-based) of the first requests with the same params and with the same id. -1 if there is no such request. */
interface Repeated {
  readonly params: number;
  readonly id: number;
  readonly isRequest: boolean;
}

const digestBytes = 16;

/**
 * Finds requests that repeat earlier requests. Params are compared by a 128-bit hash of their canonical form, so each request needs about
 * 100 bytes of memory, whatever its size. Ids are compared as texts. A request without an id never repeats an id.
 */
export class Repeats {
  private readonly hasher = new ParamsHasher(digestBytes);
  private readonly params = new IdTable();
  private readonly ids = new IdTable();
  private readonly pairs = new IdTable();
  private readonly firstOfParams: number[] = [];
  private readonly firstOfId: number[] = [];
  private readonly pair = new Uint32Array(2);
  private readonly idNumbers: number[] = [];

  find(line: WalkedLine): Repeated {
    const number = this.idNumbers.push(-1) - 1;
    const { bytes, paramsStart, paramsEnd } = line;
    // Requests without params get different digests, so that they never equal each other.
    const digest = paramsStart < 0 ? Buffer.from(`none ${number}`) : this.hasher.hash(bytes, paramsStart, paramsEnd);
    const paramsNumber = this.params.add(digest, 0, digest.length);
    const params = firstOf(this.firstOfParams, paramsNumber, number);
    const name = idOf(line);
    if (name === undefined) {
      return { params, id: -1, isRequest: false };
    }
    const idNumber = this.ids.addText(name);
    this.idNumbers[number] = idNumber;
    const id = firstOf(this.firstOfId, idNumber, number);
    this.pair[0] = paramsNumber;
    this.pair[1] = idNumber;
    const known = this.pairs.size;
    const isRequest = this.pairs.add(new Uint8Array(this.pair.buffer), 0, 8) < known;
    return { params, id, isRequest };
  }

  idOf(request: number): string | undefined {
    const number = this.idNumbers[request] ?? -1;
    return number < 0 ? undefined : this.ids.text(number);
  }
}

function isRepeat(found: Repeated, kind: RepeatKind): boolean {
  return kind === 'params' ? found.params >= 0 : kind === 'id' ? found.id >= 0 : found.isRequest;
}

/** Returns the first request with this number. For a new number, stores `request` as the first request and returns -1. */
function firstOf(firsts: number[], number: number, request: number): number {
  if (number < firsts.length) {
    return firsts[number] as number;
  }
  firsts.push(request);
  return -1;
}
