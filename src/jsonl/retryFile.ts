import { readFileSync, statSync } from 'node:fs';
import { type RetryReport, type RetrySource, type RetryState, SourceChangedError } from './jobs';
import type { PassContext } from './lineFile';
import { readLineMap } from './lineMap';
import { type FoundRequest, forEachRequest } from './requestLines';
import { none } from './resultsFile';
import { type IndexContents, parseIndex } from './resultsIndexFile';
import { attentionOf, resultStates } from './resultsReport';
import { type FileWriting, WholeFile } from './wholeFile';

const blockBytes = 1 << 20;

/**
 * Writes the requests of a submission whose results are in one of `states` to a new file, in the order of the source: whole
 * requests as their lines stand, and bare message params under the id that was made for them, so that the same ids can be
 * submitted again. The file appears whole or not at all. Blocks, so it is for threads.
 *
 * Every request of the submission must still stand on its line with its id, or `SourceChangedError` says which does not; when a
 * bare line was chosen, whose id says nothing of its content, the file must also be byte for byte what was submitted.
 * Throws also `LineMapError`, `IndexMismatchError` and `FileWriteError`.
 */
export async function writeRetryFile(source: RetrySource, context: PassContext, writing?: FileWriting): Promise<RetryReport> {
  const map = readLineMap(source.linesPath);
  const isChosen = chooser(parseIndex(readFileSync(source.indexPath), source.indexPath), source.states);
  const totalBytes = statSync(source.sourcePath).size;
  const out = await WholeFile.create(source.outPath, writing);
  try {
    const block = new Block(out);
    let written = 0;
    let hasBare = false;
    const { unchanged } = forEachRequest(
      source.sourcePath,
      map,
      source.sourceSha256,
      request => {
        const id = map.ids.text(request.id);
        if (isChosen(id)) {
          written++;
          hasBare ||= request.bare;
          block.addRequest(request, id);
        }
      },
      doneBytes => {
        context.throwIfAborted();
        context.progress({ doneBytes: Math.min(doneBytes, totalBytes - 1), totalBytes });
      },
    );
    if (unchanged === false && hasBare) {
      throw new SourceChangedError(
        `${source.sourcePath} has changed since it was submitted. Its lines have no ids of their own, so the requests that were answered cannot be told from new ones.`,
      );
    }
    block.flush();
    await out.finish(context.signal);
    context.throwIfAborted();
    await out.publish();
    context.progress({ doneBytes: totalBytes, totalBytes });
    return { written, sourceChanged: unchanged === false };
  } finally {
    await out.discard();
  }
}

/** Whether the request with an id is in one of the states. */
function chooser(index: IndexContents, states: readonly RetryState[]): (id: string) => boolean {
  const wanted = new Set<RetryState>(states);
  return id => {
    const bytes = Buffer.from(id);
    const number = index.ids.find(bytes, 0, bytes.length);
    const row = number < 0 ? none : (index.rowOfId[number] as number);
    if (row === none) {
      return wanted.has('missing');
    }
    const state = resultStates[index.rows.states[row] as number] ?? 'other';
    const attention = state === 'succeeded' ? attentionOf(index.reasons[(index.rows.stopReasons[row] as number) - 1]) : undefined;
    return wanted.has(state) || (attention !== undefined && wanted.has(attention));
  };
}

/** Lines on their way to the file. */
class Block {
  private parts: Uint8Array[] = [];
  private size = 0;

  constructor(private readonly out: WholeFile) {}

  addRequest(request: FoundRequest, id: string): void {
    const { bytes, start, end, bare } = request;
    if (bare) {
      this.add(Buffer.from(`{"custom_id":${JSON.stringify(id)},"params":`));
    }
    // Copied: the bytes are valid only now.
    this.add(Buffer.from(bytes.subarray(start, end)));
    this.add(Buffer.from(bare ? '}\n' : '\n'));
    if (this.size >= blockBytes) {
      this.flush();
    }
  }

  flush(): void {
    this.out.append(Buffer.concat(this.parts, this.size));
    this.parts = [];
    this.size = 0;
  }

  private add(part: Uint8Array): void {
    this.parts.push(part);
    this.size += part.length;
  }
}
