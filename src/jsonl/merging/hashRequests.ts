import { hashBytes, ParamsHasher } from '../arranging/paramsHash';
import { writeWholeFiles } from '../files/blockWriter';
import { SourceChangedError } from '../files/fileState';
import type { PassContext } from '../files/lineFile';
import { readLineMap } from '../files/lineMap';
import { forEachRequest } from '../files/requestWalk';

interface HashSource {
  readonly path: string;
  readonly linesPath: string;
  readonly sha256: string;
  readonly hashesPath: string;
}

/**
 * Writes the hash of the `params` of every request of a submission, 8 bytes each, in the order of its `lines.tsv`; see `ParamsHasher`. If
 * the file has changed since it was sent, throws `SourceChangedError` and writes nothing. Blocks, so it runs in a thread.
 */
export async function hashRequests({ path, linesPath, sha256, hashesPath }: HashSource, context: PassContext): Promise<undefined> {
  const map = readLineMap(linesPath);
  const hashes = Buffer.alloc(map.lines.length * hashBytes);
  const hasher = new ParamsHasher();
  const isUnchanged = forEachRequest(
    path,
    map,
    sha256,
    (id, { bytes, paramsStart, paramsEnd }) => void hasher.hash(bytes, paramsStart, paramsEnd).copy(hashes, id * hashBytes),
    context,
  );
  if (isUnchanged !== true) {
    throw new SourceChangedError(`${path} has changed since it was submitted.`);
  }
  await writeWholeFiles(context, async files => (await files.create(hashesPath)).add(hashes));
}
