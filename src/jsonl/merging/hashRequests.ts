import { statSync } from 'node:fs';
import { SourceChangedError } from '../files/fileState';
import type { PassContext } from '../files/lineFile';
import { readLineMap } from '../files/lineMap';
import { forEachRequest } from '../files/requestLines';
import { WholeFile } from '../files/wholeFile';
import type { HashSource } from './mergingJobs';
import { hashBytes, ParamsHasher } from './paramsHash';

/**
 * Writes the hash of the `params` of every request of a submission, 8 bytes each, in the order of its `lines.tsv`; see `ParamsHasher`. If
 * the file has changed since it was sent, throws `SourceChangedError` and writes nothing. Blocks, so it runs in a thread.
 */
export async function hashRequests({ path, linesPath, sha256, hashesPath }: HashSource, context: PassContext): Promise<undefined> {
  const map = readLineMap(linesPath);
  const totalBytes = statSync(path).size + 1;
  const hashes = Buffer.alloc(map.lines.length * hashBytes);
  const hasher = new ParamsHasher();
  const { unchanged } = forEachRequest(
    path,
    map,
    sha256,
    ({ id, bytes, paramsStart, paramsEnd }) => void hasher.hash(bytes, paramsStart, paramsEnd).copy(hashes, id * hashBytes),
    doneBytes => {
      context.throwIfAborted();
      context.progress({ doneBytes: Math.min(doneBytes, totalBytes - 1), totalBytes });
    },
  );
  if (unchanged !== true) {
    throw new SourceChangedError(`${path} has changed since it was submitted.`);
  }
  const file = await WholeFile.create(hashesPath);
  try {
    file.append(hashes);
    await file.finish(context.signal);
    await file.publish();
  } finally {
    await file.discard();
  }
  context.progress({ doneBytes: totalBytes, totalBytes });
}
