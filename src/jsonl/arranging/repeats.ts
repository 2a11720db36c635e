import { IdTable } from '../files/idTable';
import { idOf, type WalkedLine } from '../files/requestWalk';
import type { RepeatKind } from './arrangingJobs';
import { ParamsHasher } from './paramsHash';

/** Numbers (0-based) of the earlier requests that a request repeats, or -1. */
export interface Repeated {
  /** First request with the same params. */
  readonly params: number;
  /** First request with the same id. */
  readonly id: number;
  /** True if an earlier request had both the same params and the same id. */
  readonly isRequest: boolean;
}

const digestBytes = 16;

/**
 * Finds requests that repeat earlier ones. Params are compared by a 128-bit hash of their canonical form, so that memory grows by about 100
 * bytes per request, whatever its size. Ids are compared as texts. A request without an id repeats no other id.
 */
export class Repeats {
  private readonly hasher = new ParamsHasher(digestBytes);
  private readonly params = new IdTable();
  private readonly ids = new IdTable();
  private readonly pairs = new IdTable();
  private readonly firstOfParams: number[] = [];
  private readonly firstOfId: number[] = [];
  private readonly pair = new Uint32Array(2);
  /** Number of the id of each request, or -1. */
  private readonly idNumbers: number[] = [];

  /** Compares the next request with the earlier ones and records it. */
  look(line: WalkedLine): Repeated {
    const number = this.idNumbers.push(-1) - 1;
    const { bytes, paramsStart, paramsEnd } = line;
    // A request without params never equals another one.
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

  /** Returns the id of a request, or `undefined` if it has none. */
  idOf(request: number): string | undefined {
    const number = this.idNumbers[request] ?? -1;
    return number < 0 ? undefined : this.ids.text(number);
  }
}

/** Returns whether a request is a repeat of this kind. */
export function isRepeat(found: Repeated, kind: RepeatKind): boolean {
  return kind === 'params' ? found.params >= 0 : kind === 'id' ? found.id >= 0 : found.isRequest;
}

/** Returns the first request with a number, or -1 if it is this one. */
function firstOf(firsts: number[], number: number, request: number): number {
  if (number < firsts.length) {
    return firsts[number] as number;
  }
  firsts.push(request);
  return -1;
}
