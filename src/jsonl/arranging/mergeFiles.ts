import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { writeLinesOf } from '../files/blockWriter';
import { maxIdCharacters } from '../files/derivedIds';
import { IdTable } from '../files/idTable';
import { type PassContext, partOf } from '../files/lineFile';
import { idOf, type OtherLines, type WalkedLine, walkRequests } from '../files/requestWalk';
import { Repeats } from './duplicates';

export interface MergeSurvey {
  readonly files: readonly OtherLines[];
  /** Number of requests with the id of an earlier request, in the same or an earlier file. */
  readonly repeatedIds: number;
  /** Number of requests with both the id and the params of an earlier request. */
  readonly repeats: number;
  /** First request with the id of an earlier request. */
  readonly example: { readonly id: string; readonly line: number } | undefined;
}

/** Treatment of ids: keep them, prefix them by file, or drop requests that repeat both the id and the params of an earlier request. */
export type MergeIds =
  | { readonly kind: 'keep' | 'dropRepeats' }
  /** One distinct prefix per file. */
  | { readonly kind: 'prefix'; readonly prefixes: readonly string[] };

/** Counts the requests in files to merge that repeat an id. Blocks the thread, so only for workers. */
export function surveyMerge({ paths }: { readonly paths: readonly string[] }, context: PassContext): MergeSurvey {
  const repeated = new Repeats();
  let example: MergeSurvey['example'];
  let repeatedIds = 0;
  let repeats = 0;
  const files = walkAll(paths, context, (_, line) => {
    const found = line.kind === 'broken' ? undefined : repeated.find(line);
    if (found !== undefined && found.id >= 0) {
      repeatedIds++;
      repeats += found.isRequest ? 1 : 0;
      example ??= { id: idOf(line) ?? '', line: line.line };
    }
  });
  return { files, repeatedIds, repeats, example };
}

/**
 * Concatenates files. Lines are copied unchanged except for their ids, which change according to `ids`. Blank lines and byte order marks
 * are left out. Returns the number of written and dropped requests, and of ids that were cut (see `PrefixedIds`). Blocks the thread, so
 * only for workers. Throws a `SourceChangedError` if a file is modified meanwhile.
 */
export async function mergeFiles(
  { paths, outPath, ids }: { readonly paths: readonly string[]; readonly outPath: string; readonly ids: MergeIds },
  context: PassContext,
) {
  const repeats = ids.kind === 'dropRepeats' ? new Repeats() : undefined;
  const naming = new PrefixedIds();
  let written = 0;
  let dropped = 0;
  await writeLinesOf(paths, outPath, context, out =>
    walkAll(paths, context, (file, line) => {
      if (line.kind !== 'broken' && repeats?.find(line).isRequest === true) {
        dropped++;
        return;
      }
      const id = idOf(line);
      if (ids.kind === 'prefix' && id !== undefined) {
        out.add(line.bytes, line.start, line.idStart);
        out.addText(JSON.stringify(naming.make(file, ids.prefixes[file] ?? '', id)).slice(1, -1));
        out.add(line.bytes, line.idEnd, line.end);
      } else {
        out.add(line.bytes, line.start, line.end);
      }
      out.addText('\n');
      written++;
    }),
  );
  return { written, dropped, shortened: naming.shortened };
}

function walkAll(paths: readonly string[], context: PassContext, visit: (file: number, line: WalkedLine) => void): readonly OtherLines[] {
  const sizes = paths.map(path => statSync(path).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  return paths.map((path, file) => {
    const others = walkRequests(path, line => visit(file, line), partOf(context, before, bytes));
    before += sizes[file] as number;
    return others;
  });
}

/** Prefixes ids so that no two files share one. A prefixed id that is too long or already taken is cut and ends with a hash. */
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

  /** Claims an id for a file. Returns `false` if another file already has the id. */
  private take(id: string, file: number): boolean {
    const number = this.prefixed.addText(id);
    this.fileOf[number] ??= file;
    return this.fileOf[number] === file;
  }
}
