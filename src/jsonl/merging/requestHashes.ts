import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hashBytes, ParamsHasher } from '../arranging/paramsHash';
import { type LineMap, LineMapError, parseLineMap } from '../files/lineMap';

/** Hashes of the requests of a submission, by id. 100,000 take about 6 MB. */
export class RequestHashes {
  private readonly hasher = new ParamsHasher();

  private constructor(
    private readonly map: LineMap,
    private readonly hashes: Buffer,
  ) {
    if (hashes.length !== map.lines.length * hashBytes) {
      throw new LineMapError("The hashes of the sent requests don't match the list of their lines.");
    }
  }

  /** Reads `requests.hash` and `lines.tsv` of a submission. Throws `LineMapError`, or the system's error if a file does not exist. */
  static async open(hashesPath: string, linesPath: string): Promise<RequestHashes> {
    const [hashes, lines] = await Promise.all([readFile(hashesPath), readFile(linesPath)]);
    return new RequestHashes(parseLineMap(lines), hashes);
  }

  /** Reads the files like `open`, but blocks, so use it in a worker thread. */
  static openSync(hashesPath: string, linesPath: string): RequestHashes {
    return new RequestHashes(parseLineMap(readFileSync(linesPath)), readFileSync(hashesPath));
  }

  /** Returns the hash (see `ParamsHasher`) of the request that was sent with this id, or `undefined` if no such request was sent. */
  of(id: string): Buffer | undefined {
    const number = this.map.ids.findText(id);
    return number < 0 ? undefined : this.hashes.subarray(number * hashBytes, (number + 1) * hashBytes);
  }

  /** Returns whether the JSON text `params` equals what was sent with this id, or `undefined` if nothing was sent. */
  isSame(id: string, params: string | Uint8Array): boolean | undefined {
    const sent = this.of(id);
    return sent && this.hasher.hashText(params)?.equals(sent) === true;
  }
}
