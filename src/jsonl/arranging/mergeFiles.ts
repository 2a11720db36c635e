import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { writeLinesOf } from '../files/blockWriter';
import { maxIdCharacters } from '../files/derivedIds';
import { IdTable } from '../files/idTable';
import { type PassContext, partOf } from '../files/lineFile';
import { idOf, type OtherLines, type WalkedLine, walkRequests } from '../files/requestWalk';
import type { MergeReport, MergeSource, MergeSurvey, RepeatedId } from './arrangingJobs';
import { Repeats } from './duplicates';

const maxExamples = 20;
/** Counts the requests of files to merge and finds the ids they share. Blocks the thread, so only for workers. */
export function surveyMerge({ paths }: { readonly paths: readonly string[] }, context: PassContext): MergeSurvey {
  const repeats = new Repeats();
  const positions: (readonly [file: number, line: number])[] = [];
  const examples: RepeatedId[] = [];
  let repeatedIds = 0;
  let repeated = 0;
  const files = walkAll(paths, context, (file, walk) => {
    const counts = { requests: 0, bare: 0 };
    const others = walk(line => {
      if (line.kind === 'broken') {
        return;
      }
      counts.requests++;
      counts.bare += line.kind === 'params' ? 1 : 0;
      const found = repeats.find(line);
      positions.push([file, line.line]);
      if (found.id < 0) {
        return;
      }
      repeatedIds++;
      repeated += found.isRequest ? 1 : 0;
      const first = positions[found.id];
      if (examples.length < maxExamples && first !== undefined) {
        examples.push({ id: idOf(line) ?? '', firstFile: first[0], firstLine: first[1], file, line: line.line });
      }
    });
    return { ...counts, ...others };
  });
  return { files, repeatedIds, repeats: repeated, examples };
}

/**
 * Concatenates files. Lines are copied unchanged except for their ids, which change according to `ids`. Blank lines and byte order marks
 * are left out. Blocks the thread, so only for workers. Throws a `SourceChangedError` if a file is modified meanwhile.
 */
export async function mergeFiles({ paths, outPath, ids }: MergeSource, context: PassContext): Promise<MergeReport> {
  const repeats = ids.kind === 'dropRepeats' ? new Repeats() : undefined;
  const naming = ids.kind === 'prefix' ? new PrefixedIds() : undefined;
  let written = 0;
  let dropped = 0;
  await writeLinesOf(paths, outPath, context, out =>
    walkAll(paths, context, (file, walk) => {
      const prefix = ids.kind === 'prefix' ? (ids.prefixes[file] ?? '') : '';
      walk(line => {
        if (line.kind !== 'broken' && repeats?.find(line).isRequest === true) {
          dropped++;
          return;
        }
        const id = idOf(line);
        if (naming !== undefined && id !== undefined) {
          out.add(line.bytes, line.start, line.idStart);
          out.addText(JSON.stringify(naming.make(file, prefix, id)).slice(1, -1));
          out.add(line.bytes, line.idEnd, line.end);
        } else {
          out.add(line.bytes, line.start, line.end);
        }
        out.addText('\n');
        written++;
      });
    }),
  );
  return { written, dropped, shortened: naming?.shortened ?? 0 };
}

function walkAll<T>(
  paths: readonly string[],
  context: PassContext,
  work: (file: number, walk: (visit: (line: WalkedLine) => void) => OtherLines) => T,
): readonly T[] {
  const sizes = paths.map(path => statSync(path).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  return paths.map((path, file) => {
    const result = work(file, visit => walkRequests(path, visit, partOf(context, before, bytes)));
    before += sizes[file] as number;
    return result;
  });
}

/**
 * Prefixes ids so that no two files share one. A prefixed id that is too long or already used by another file is cut and ends with a hash
 * of the whole id.
 */
class PrefixedIds {
  private readonly prefixed = new IdTable();
  private readonly fileOf: number[] = [];
  shortened = 0;

  make(file: number, prefix: string, id: string): string {
    const whole = `${prefix}-${id}`;
    if ((whole.length > maxIdCharacters && id.length <= maxIdCharacters) || !this.take(whole, file)) {
      const hash = createHash('sha256').update(`${file} ${whole}`).digest('hex').slice(0, 8);
      const cut = `${whole.slice(0, maxIdCharacters - 9)}-${hash}`;
      this.shortened++;
      this.take(cut, file);
      return cut;
    }
    return whole;
  }

  /** Claims an id for a file. Returns `false` if another file already has it. */
  private take(id: string, file: number): boolean {
    const number = this.prefixed.addText(id);
    this.fileOf[number] ??= file;
    return this.fileOf[number] === file;
  }
}
