import { severityOrder } from '../../contract/problem';
import { copyRows } from '../arranging/rowTable';
import type { CheckTerms } from '../checking/batchFileReport';
import { passOver } from '../checking/requestPass';
import { writeLinesOf, writeWholeFiles } from '../files/blockWriter';
import { demandState, fileStateAt } from '../files/fileState';
import type { JobContext } from '../files/jobContext';
import { type PassContext, passOf, toOnRead } from '../files/lineFile';
import type { ValueColumn } from '../querying/valueColumns';
import { readIndexOf, sampleFile, writeIndex } from '../results/resultsIndexFile';
import { messagesSection, promptPath } from '../survey/promptBlock';
import { forEachPrompt } from '../survey/promptLines';
import type { PromptReader } from '../survey/promptReader';
import { toTokenRange } from '../survey/tokenTable';
import { RequestRows } from './requestRows';

interface RequestIndexSource {
  readonly path: string;
  /** Path of the index to write. `path` and the index can then be queried like joined results. */
  readonly indexPath: string;
  readonly terms: CheckTerms;
}

export interface RequestIndexReport {
  /** Number of rows: lines that are not blank. */
  readonly rows: number;
  /** Estimated tokens of all prompts, and the sum of `max_tokens`. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Number of rows with an error, and with a warning but no error. */
  readonly withErrors: number;
  readonly withWarnings: number;
  /** Columns `model`, `problem` and `severity`. */
  readonly columns: readonly ValueColumn[];
}

/** Maximum number of message blocks to search for a text. */
const maxBlocks = 8;
const mostTokens = 0xffff_ffff;

/**
 * Writes an index of the lines of a request file, so that it can be queried like joined results. Every line that is not blank is a row with
 * its id, estimated tokens, `max_tokens` as output, and rule problems. Memory grows by about 150 bytes per line. Blocks the thread, so only
 * for workers. Throws a `SourceChangedError` if the file is modified meanwhile.
 */
export async function indexRequests({ path, indexPath, terms }: RequestIndexSource, context: JobContext): Promise<RequestIndexReport> {
  const state = fileStateAt(path);
  const found = new RequestRows(terms);
  await passOver(path, passOf(context, 0), line => found.add(line), terms.rules);
  const prompts = new Prompts(found);
  forEachPrompt(path, prompts, passOf(context, 1));
  const columns = found.finish();
  const { rows, ids } = found;
  const size = Number(state.size);
  const sample = sampleFile(path, size);
  demandState(path, state);
  const lines = { lines: found.lineNumbers(), ids, rowOfId: found.rowOfId(), reasons: severityOrder };
  const contents = { subject: 'requests' as const, rows, ...lines, joinedBytes: size, sample };
  await writeWholeFiles(context, async files => writeIndex(await files.create(indexPath), contents));
  const { inputTokens, outputTokens } = prompts;
  return { rows: rows.count, inputTokens, outputTokens, ...found.troubled(), columns };
}

/** Adds the tokens of each prompt, and the position of its first text, to the rows. */
class Prompts {
  inputTokens = 0;
  outputTokens = 0;
  private readonly lines: Int32Array;
  private next = 0;

  constructor(private readonly found: RequestRows) {
    this.lines = found.lineNumbers();
  }

  request(reader: PromptReader, line: number): void {
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
    const text = firstText(reader);
    if (text !== undefined) {
      rows.texts[row] = Buffer.byteLength(reader.json.text.slice(0, text));
    }
  }
}

/** Returns the column of the first text of the messages. */
function firstText({ blocks, json, isWhole }: PromptReader): number | undefined {
  for (const block of blocks.filter(({ section }) => section === messagesSection).slice(0, maxBlocks)) {
    const part = json.partAt([...promptPath(block, isWhole), ...(block.isString ? [] : ['text'])])?.part;
    if (part !== undefined && json.text[part.start] === '"') {
      return part.start;
    }
  }
  return undefined;
}

/** Copies rows of an indexed request file unchanged. Throws an `IndexMismatchError` if the index does not match. */
export async function writeRows(
  {
    path,
    indexPath,
    rows: order,
    outPath,
  }: { readonly path: string; readonly indexPath: string; readonly rows: Uint32Array; readonly outPath: string },
  context: PassContext,
): Promise<{ readonly written: number }> {
  const { rows } = readIndexOf({ joinedPath: path, indexPath });
  const bytes = order.reduce((sum, row) => sum + (rows.lengths[row] as number), 0);
  await writeLinesOf([path], outPath, context, out => copyRows(path, rows, order, out, toOnRead(context, bytes)));
  return { written: order.length };
}
