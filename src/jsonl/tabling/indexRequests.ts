import { demandState, readState } from '../arranging/copyRows';
import { forEachMember } from '../arranging/requestWalk';
import { passOver } from '../checking/requestPass';
import type { JobContext } from '../files/jobContext';
import type { FileWriting } from '../files/wholeFile';
import { sampleFile, writeIndex } from '../results/resultsIndexFile';
import { decodeString, JsonBytes, QUOTE } from '../scanning/jsonBytes';
import type { PromptBlock } from '../survey/promptBlock';
import { forEachPrompt } from '../survey/promptLines';
import type { PromptReader } from '../survey/promptReader';
import { toTokenRange } from '../survey/tokenTable';
import { RequestRows } from './requestRows';
import type { RequestIndexReport, RequestIndexSource } from './tablingJobs';

/** Index of the messages in `promptSections`. */
const messages = 2;
/** Maximum number of message blocks to search for a text. */
const mostBlocks = 8;
const mostTokens = 0xffff_ffff;

/**
 * Writes an index of the lines of a request file, so that it can be queried like joined results. Every line that is not blank is a row with
 * its id, estimated tokens, `max_tokens` as output, and rule problems. Memory grows by about 150 bytes per line. Blocks the thread, so only
 * for workers. Throws a `SourceChangedError` if the file is modified meanwhile.
 */
export async function indexRequests(
  { path, indexPath, terms }: RequestIndexSource,
  context: JobContext,
  writing?: FileWriting,
): Promise<RequestIndexReport> {
  const state = readState(path);
  const found = new RequestRows(terms);
  await passOver(path, half(context, 0), line => found.add(line), terms.rules);
  const prompts = new Prompts(found);
  forEachPrompt(path, prompts, half(context, 1));
  const columns = found.finish();
  const { rows, ids } = found;
  const size = Number(state.size);
  const sample = sampleFile(path, size);
  demandState(path, state);
  const contents = { subject: 'requests' as const, rows, lines: found.lineNumbers(), ids, rowOfId: found.rowOfId() };
  const index = await writeIndex(indexPath, { ...contents, reasons: RequestRows.reasons, joinedBytes: size, sample }, writing);
  try {
    await index.finish(context.signal);
    await index.publish();
  } finally {
    await index.discard();
  }
  context.progress({ doneBytes: size, totalBytes: size });
  const { inputTokens, outputTokens } = prompts;
  return { rows: rows.count, inputTokens, outputTokens, ...found.troubled(), columns };
}

/** Returns a context that reports one of two passes as half of the work. The last byte is left for the caller to report. */
function half(context: JobContext, place: 0 | 1): JobContext {
  return {
    ...context,
    throwIfAborted: () => context.throwIfAborted(),
    progress: ({ doneBytes, totalBytes }) =>
      context.progress({ doneBytes: Math.min(place * totalBytes + doneBytes, 2 * totalBytes - 1), totalBytes: 2 * totalBytes }),
  };
}

/** Adds the tokens and the position of the first text of each prompt to the rows. */
class Prompts {
  inputTokens = 0;
  outputTokens = 0;
  private readonly json = new JsonBytes();
  private readonly lines: Int32Array;
  private next = 0;

  constructor(private readonly found: RequestRows) {
    this.lines = found.lineNumbers();
  }

  request(reader: PromptReader, line: number, start: number): void {
    // Both passes visit lines in order.
    while ((this.lines[this.next] ?? Number.POSITIVE_INFINITY) < line) {
      this.next++;
    }
    const row = this.next;
    if (this.lines[row] !== line) {
      return;
    }
    const { rows } = this.found;
    const input = Math.round(toTokenRange(reader.tokens).likely);
    const output = Number.isNaN(reader.maxTokens) ? 0 : Math.min(reader.maxTokens, mostTokens);
    rows.inputTokens[row] = input;
    rows.outputTokens[row] = output;
    this.inputTokens += input;
    this.outputTokens += output;
    const text = this.firstText(reader);
    if (text >= 0) {
      rows.texts[row] = text - start;
    }
  }

  /** Returns the offset of the first text in the messages, at its opening quote, or -1 if there is none. */
  private firstText({ blocks, blockCount, bytes }: PromptReader): number {
    this.json.bytes = bytes;
    let looked = 0;
    for (let index = 0; index < blockCount && looked < mostBlocks; index++) {
      const block = blocks[index];
      if (block?.section === messages) {
        looked++;
        const at = block.isString ? block.start : this.textIn(block, bytes);
        if (at >= 0) {
          return at;
        }
      }
    }
    return -1;
  }

  private textIn({ start }: PromptBlock, bytes: Uint8Array): number {
    let found = -1;
    forEachMember(this.json, start, (keyStart, keyEnd, from) => {
      if (keyEnd - keyStart === '"text"'.length && bytes[from] === QUOTE && decodeString(bytes, keyStart, keyEnd) === 'text') {
        found = from;
      }
    });
    return found;
  }
}
