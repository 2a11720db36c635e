import { demandState, readState } from '../arranging/copyRows';
import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { readLineMap } from '../files/lineMap';
import type { FileWriting } from '../files/wholeFile';
import { RangeCopy } from '../fixes/rewriteFile';
import type { TextEdit } from '../fixes/textEdit';
import { findSubmitted } from './findSubmitted';
import { editOf } from './requestChange';
import type { ChangeReport, ChangeSource } from './retryingJobs';

const mostExamples = 20;
/** Characters of a line that are shown before and behind a change. */
const around = 60;

/**
 * Makes one change in the chosen requests of a file and leaves every other byte. Without `isWritten` only reports what would change. The
 * file is replaced whole or not at all. Throws `SourceChangedError` if it was written to meanwhile. Blocks, so it is for threads.
 */
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
  if (isWritten && found.count > 0) {
    await writeWholeFiles(
      context,
      async files => {
        const copy = new RangeCopy(file.path, await files.replace(file.path));
        try {
          for (const { from, to, text } of found.ranges()) {
            copy.replace(from, to, found.texts[text] ?? '');
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
  return { changed: found.count, gone: chosen.size - seen, edits: found.columns(), texts: found.texts, examples: found.examples };
}

interface FoundEdit {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Offsets in the file. */
  readonly from: number;
  readonly to: number;
  /** Place in `texts`. */
  readonly text: number;
}

/** Edits of a file, one to a line. */
class FoundEdits {
  readonly examples: ChangeReport['examples'][number][] = [];
  /** What is written, each text once. */
  readonly texts: string[] = [];
  private readonly edits: FoundEdit[] = [];
  private readonly places = new Map<string, number>();

  get count(): number {
    return this.edits.length;
  }

  add(line: number, offset: number, before: number, text: string, edit: TextEdit): void {
    const from = offset + before + Buffer.byteLength(text.slice(0, edit.start));
    const to = from + Buffer.byteLength(text.slice(edit.start, edit.end));
    this.edits.push({ line, start: before + edit.start, end: before + edit.end, from, to, text: this.placeOf(edit.text) });
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
    const columns = new Uint32Array(new SharedArrayBuffer(this.edits.length * 16));
    for (const [at, { line, start, end, text }] of this.edits.entries()) {
      columns.set([line, start, end, text], at * 4);
    }
    return columns;
  }

  private placeOf(text: string): number {
    const place = this.places.get(text) ?? this.texts.push(text) - 1;
    this.places.set(text, place);
    return place;
  }
}
