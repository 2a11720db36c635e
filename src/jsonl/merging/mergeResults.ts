import { type BlockWriter, writeWholeFiles } from '../files/blockWriter';
import { LineAssembler, SpanSource } from '../files/lineAssembler';
import { type PassContext, toOnRead } from '../files/lineFile';
import { Tally } from '../files/tally';
import type { JoinedFile } from '../results/joinedResults';
import { createRows, listed, none, type ResultColumns, wordColumns } from '../results/resultsFile';
import { changedResults, demandFit, type IndexContents, readIndexOf, sampleFile, writeIndex } from '../results/resultsIndexFile';
import type { NamedIds, ResultsReport } from '../results/resultsReport';
import { countRows } from '../results/resultUsage';
import { joinedHead } from '../results/writeJoined';
import { CLOSE_BRACE, COMMA } from '../scanning/jsonBytes';
import { findMerged, type Generation, type Merged, type MergeSource } from './mergedAnswers';
import { writeHistory } from './resultsHistory';

/**
 * Merges joined results into one file with one line per answered id. Lines are in the order of the first generation's file. Lines of ids
 * that this file lacks are at the end. An answer is used only if its request is the same as in the newest generation that sent the id (see
 * `compareWithNewest`). The last success is used, or the last answer if there is no success. The part of a line after its `line` member is
 * copied unchanged. Memory grows with the number of ids and generations, not with the size of the files. The joined file, its index and its
 * history appear complete or not at all, and may replace the merged files. Blocks, so it runs in a thread. Throws `IndexMismatchError`,
 * `LineMapError` and `FileWriteError`.
 */
export async function mergeResults(source: MergeSource, context: PassContext): Promise<JoinedFile> {
  const generations = source.generations.map(generation => ({ ...generation, contents: readIndexOf(generation) }));
  const merged = findMerged(generations);
  const report = await writeWholeFiles(context, async files => {
    const index = writeMerged(merged, await files.create(source.joinedPath), toOnRead(context, merged.bytes));
    for (const { joinedPath, contents } of generations) {
      // If a file was replaced while it was being read, its lines are from two versions.
      demandFit(joinedPath, contents);
    }
    writeIndex(await files.create(source.indexPath), index);
    if (source.historyPath !== undefined) {
      writeHistory(await files.create(source.historyPath), merged);
    }
    return reportMerged(merged, index.rows, index.reasons);
  });
  return { joinedPath: source.joinedPath, report };
}

function reportMerged(merged: Merged, rows: ResultColumns, reasons: readonly string[]): ResultsReport {
  const counted = countRows(rows, reasons);
  const { ids, rowOf, known, generations } = merged;
  const missing = new Tally<string>(listed);
  const unexpected = new Tally<string>(listed);
  for (let id = 0; id < ids.size; id++) {
    if (rowOf[id] === none) {
      missing.add(() => ids.text(id));
    } else if (known[id] === 0) {
      unexpected.add(() => ids.text(id));
    }
  }
  const reports = generations.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const rawBytes = generations.reduce((sum, { report, contents }) => sum + (report?.rawBytes ?? contents.joinedBytes), 0);
  const duplicate = namedTogether(reports.map(report => report.duplicate));
  // Line numbers of several downloaded files can't be combined.
  const damaged = { count: reports.reduce((sum, report) => sum + report.damaged.count, 0), firstLines: [] };
  const countsMatch = reports.every(report => report.countsMatch);
  return {
    rawBytes,
    ...counted,
    missing: missing.found(),
    unexpected: unexpected.found(),
    duplicate,
    damaged,
    countsMatch,
    complete: countsMatch && missing.count + unexpected.count + duplicate.count + damaged.count === 0,
  };
}

function namedTogether(lists: readonly NamedIds[]): NamedIds {
  return { count: lists.reduce((sum, { count }) => sum + count, 0), first: lists.flatMap(({ first }) => first).slice(0, listed) };
}

const reasonColumns = ['stopReasons', 'errorTypes', 'models'] as const;
const countColumns = wordColumns.filter(name => !['lengths', 'ids', 'texts', ...reasonColumns].includes(name));

/** Writes the merged lines to `joined` and returns the content of their index. */
function writeMerged(merged: Merged, joined: BlockWriter, onCopied: (doneBytes: number) => void): IndexContents {
  const { ids, order, generations, generationOf, rowOf } = merged;
  const sources: Source[] = [];
  const rows = { ...createRows(order.length), count: order.length, ids: order };
  const lines = Int32Array.from(order, id => merged.lines[id] as number);
  const rowOfId = new Uint32Array(ids.size).fill(none);
  try {
    for (const generation of generations) {
      sources.push(openSource(generation, merged));
    }
    const spans = sources.map(({ rests }) => rests);
    const assembler = new LineAssembler(joined, spans, merged.bytes + order.length * 16, onCopied);
    for (const [position, id] of order.entries()) {
      const { rests, heads, reasonNumbers, rows: from } = sources[generationOf[id] as number] as Source;
      const row = rowOf[id] as number;
      const head = joinedHead(ids, id, lines[position] as number);
      const headBytes = Buffer.byteLength(head);
      const text = from.texts[row] as number;
      assembler.reserve(headBytes + (rests.lengths[row] as number) + 1);
      rows.offsets[position] = assembler.position;
      rows.lengths[position] = headBytes + (rests.lengths[row] as number);
      rows.texts[position] = text === none ? none : text + headBytes - (heads[row] as number);
      rows.statuses[position] = from.statuses[row] as number;
      rowOfId[id] = position;
      for (const column of reasonColumns) {
        rows[column][position] = reasonNumbers[from[column][row] as number] as number;
      }
      for (const column of countColumns) {
        rows[column][position] = from[column][row] as number;
      }
      assembler.put(head);
      assembler.putRow(rests, row);
      assembler.put('\n');
    }
    assembler.flush();
    joined.flush();
  } finally {
    for (const { rests } of sources) {
      rests.close();
    }
  }
  const sample = sampleFile(joined.partPath, joined.byteLength);
  return { subject: 'results', rows, lines, ids, rowOfId, reasons: merged.reasons.texts(), joinedBytes: joined.byteLength, sample };
}

interface Source {
  readonly rows: Generation['contents']['rows'];
  /** Length of each line up to the end of its line number, in bytes. */
  readonly heads: Uint32Array;
  readonly rests: SpanSource;
  /** Maps the number of a reason in the source, plus 1, to its number in the merged table, plus 1. */
  readonly reasonNumbers: readonly number[];
}

function openSource({ contents, joinedPath }: Generation, { reasons }: Merged): Source {
  const { rows, ids, lines } = contents;
  const heads = Uint32Array.from({ length: rows.count }, (_, row) =>
    Buffer.byteLength(joinedHead(ids, rows.ids[row] as number, lines[row] as number)),
  );
  const offsets = Float64Array.from(heads, (bytes, row) => (rows.offsets[row] as number) + bytes);
  const lengths = Uint32Array.from(heads, (bytes, row) => (rows.lengths[row] as number) - bytes);
  const verify = (bytes: Buffer, start: number, end: number) => {
    if (bytes[start] !== COMMA || bytes[end - 1] !== CLOSE_BRACE) {
      throw changedResults(joinedPath);
    }
  };
  const rests = new SpanSource(joinedPath, offsets, lengths, verify);
  return { rows, heads, rests, reasonNumbers: [0, ...contents.reasons.map(name => reasons.findText(name) + 1)] };
}
