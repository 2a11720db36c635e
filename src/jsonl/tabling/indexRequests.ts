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

/** Place of the messages in `promptSections`. */
const messages = 2;
/** Blocks of messages that are looked into for a text. */
const mostBlocks = 8;
const mostTokens = 0xffff_ffff;

/**
 * Reads a request file and writes an index of its lines, by which it is asked as joined results are: every line with text is a row,
 * with its id, its estimated tokens, its `max_tokens` as output, and what the rules say. Memory grows by some 150 bytes a line.
 * Blocks, so it is for threads. Throws `SourceChangedError` when the file was written to meanwhile.
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

/** Each of two passes is half of the work; the last byte of all is told at the end. */
function half(context: JobContext, place: 0 | 1): JobContext {
  return {
    ...context,
    throwIfAborted: () => context.throwIfAborted(),
    progress: ({ doneBytes, totalBytes }) =>
      context.progress({ doneBytes: Math.min(place * totalBytes + doneBytes, 2 * totalBytes - 1), totalBytes: 2 * totalBytes }),
  };
}

/** Adds to the rows what their prompts hold. */
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
    // Both passes meet lines in their order.
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

  /** Where the first text of the messages begins, with its quotation mark; -1 without one. */
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
