import { demandState, readState } from '../arranging/copyRows';
import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { readLineMap } from '../files/lineMap';
import type { FileWriting } from '../files/wholeFile';
import { RangeCopy } from '../fixes/rewriteFile';
import type { TextEdit } from '../fixes/textEdit';
import { findSubmitted } from './findSubmitted';
import { editOf, textOf } from './requestChange';
import type { ChangeReport, ChangeSource } from './retryingJobs';

const mostExamples = 20;
/** Characters of a line that are shown before and behind a change. */
const around = 60;

/** Does what `RetryingJobs.changeRequests` says. Blocks, so it is for threads. */
export async function changeRequests(
  { file, change, numbers, isWritten }: ChangeSource,
  context: PassContext,
  writing?: FileWriting,
): Promise<ChangeReport> {
  const state = readState(file.path);
  const chosen = new Set(numbers);
  const map = readLineMap(file.linesPath);
  const found = new FoundEdits();
  let seen = 0;
  findSubmitted(file, map, context, (number, line) => {
    if (!chosen.has(number)) {
      return;
    }
    seen++;
    const text = line.bytes.toString('utf8', line.valueStart, line.valueEnd);
    const edit = editOf(text, change);
    if (edit !== undefined) {
      // What stands before the value is white space, a byte a character.
      const before = line.valueStart - line.start;
      found.add(line.line, line.offset, before, text, edit);
    }
  });
  found.sort();
  const text = textOf(change);
  if (isWritten && found.count > 0) {
    await writeWholeFiles(
      context,
      async files => {
        const copy = new RangeCopy(file.path, await files.replace(file.path));
        try {
          for (const { from, to } of found.ranges()) {
            copy.replace(from, to, text);
          }
          copy.replace(Number(state.size), Number(state.size), '');
        } finally {
          copy.close();
        }
        demandState(file.path, state);
      },
      writing,
    );
  }
  return { changed: found.count, gone: chosen.size - seen, edits: found.columns(), text, examples: found.examples };
}

interface FoundEdit {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Offsets in the file. */
  readonly from: number;
  readonly to: number;
}

/** Edits of a file, one to a line. */
class FoundEdits {
  readonly examples: ChangeReport['examples'][number][] = [];
  private readonly edits: FoundEdit[] = [];

  get count(): number {
    return this.edits.length;
  }

  add(line: number, offset: number, before: number, text: string, edit: TextEdit): void {
    const from = offset + before + Buffer.byteLength(text.slice(0, edit.start));
    const to = from + Buffer.byteLength(text.slice(edit.start, edit.end));
    this.edits.push({ line, start: before + edit.start, end: before + edit.end, from, to });
    if (this.examples.length < mostExamples) {
      const head = text.slice(Math.max(0, edit.start - around), edit.start);
      const tail = text.slice(edit.end, edit.end + around);
      this.examples.push({ line, before: `${head}${text.slice(edit.start, edit.end)}${tail}`, after: `${head}${edit.text}${tail}` });
    }
  }

  /** Bare params are found after the others. */
  sort(): void {
    this.edits.sort((a, b) => a.line - b.line);
  }

  ranges(): readonly FoundEdit[] {
    return this.edits;
  }

  columns(): Uint32Array {
    const columns = new Uint32Array(new SharedArrayBuffer(this.edits.length * 12));
    for (const [at, { line, start, end }] of this.edits.entries()) {
      columns.set([line, start, end], at * 3);
    }
    return columns;
  }
}
