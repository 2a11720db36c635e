import { statSync } from 'node:fs';
import { writeWholeFiles } from '../files/blockWriter';
import { demandState, fileStateAt } from '../files/fileState';
import { type PassContext, toOnRead } from '../files/lineFile';
import { idOf, type WalkedLine, walkRequests } from '../files/requestWalk';
import { Tally } from '../files/tally';
import { LF } from '../scanning/jsonBytes';
import type { DuplicateGroup, DuplicateLine, DuplicatesReport, RepeatKind, UniqueReport, UniqueSource } from './arrangingJobs';
import { isRepeat, Repeats } from './repeats';

/** Maximum number of groups in a report, and of later lines in a group. */
const mostGroups = 500;
const mostLater = 20;
const lineFeed = Buffer.from([LF]);

/** Finds requests of a file that repeat earlier ones. Blocks the thread, so only for workers. */
export function findDuplicates({ path }: { readonly path: string }, context: PassContext): DuplicatesReport {
  const totalBytes = statSync(path).size + 1;
  const repeats = new Repeats();
  const sameParams = new Groups();
  const sameIds = new Groups();
  const broken = new Tally<number>();
  const counts: Record<RepeatKind, number> = { params: 0, request: 0, id: 0 };
  const lines: number[] = [];
  let blank = 0;
  walkRequests(
    path,
    line => {
      if (line.kind === 'blank') {
        blank++;
      } else if (line.kind === 'broken') {
        broken.add(() => line.line);
      } else {
        const found = repeats.look(line);
        for (const kind of ['params', 'request', 'id'] as const) {
          counts[kind] += isRepeat(found, kind) ? 1 : 0;
        }
        if (found.params >= 0) {
          sameParams.add(found.params, line);
        }
        if (found.id >= 0 && !found.isRequest) {
          sameIds.add(found.id, line);
        }
        lines.push(line.line);
      }
    },
    toOnRead(context, totalBytes),
  );
  const requests = lines.length;
  const firsts = readFirsts(path, lines, [sameParams, sameIds], context);
  context.progress({ doneBytes: totalBytes, totalBytes });
  return {
    blank,
    broken: broken.found(),
    requests,
    repeats: counts,
    sameParams: sameParams.list(firsts),
    sameParamsGroups: sameParams.count,
    sameIds: sameIds.list(firsts),
    sameIdsGroups: sameIds.count,
  };
}

/** Writes the lines of a file without requests that repeat an earlier one. Blocks the thread, so only for workers. */
export async function writeUnique({ path, outPath, by }: UniqueSource, context: PassContext): Promise<UniqueReport> {
  const state = fileStateAt(path);
  const totalBytes = statSync(path).size + 1;
  const repeats = new Repeats();
  const broken = new Tally<number>();
  let blank = 0;
  let dropped = 0;
  let written = 0;
  await writeWholeFiles(context, async files => {
    const out = await files.createOfLines(outPath);
    walkRequests(
      path,
      line => {
        if (line.kind === 'blank') {
          blank++;
          return;
        }
        if (line.kind === 'broken') {
          broken.add(() => line.line);
        } else if (isRepeat(repeats.look(line), by)) {
          dropped++;
          return;
        }
        written++;
        out.add(line.bytes, line.start, line.end);
        out.add(lineFeed);
      },
      toOnRead(context, totalBytes),
    );
    demandState(path, state);
  });
  context.progress({ doneBytes: totalBytes, totalBytes });
  return { blank, broken: broken.found(), written, dropped };
}

/** Repeated requests, grouped by the number of the first one. */
class Groups {
  private readonly byFirst = new Map<number, { readonly later: DuplicateLine[]; laterCount: number }>();
  private readonly all = new Set<number>();

  get count(): number {
    return this.all.size;
  }

  add(first: number, line: WalkedLine): void {
    this.all.add(first);
    let group = this.byFirst.get(first);
    if (group === undefined && this.byFirst.size < mostGroups) {
      group = { later: [], laterCount: 0 };
      this.byFirst.set(first, group);
    }
    if (group !== undefined) {
      group.laterCount++;
      if (group.later.length < mostLater) {
        group.later.push({ line: line.line, id: idOf(line) });
      }
    }
  }

  firsts(): Iterable<number> {
    return this.byFirst.keys();
  }

  list(firsts: ReadonlyMap<number, DuplicateLine>): readonly DuplicateGroup[] {
    return [...this.byFirst]
      .map(([first, group]) => ({ ...group, first: firsts.get(first) ?? { line: 0, id: undefined } }))
      .sort((a, b) => a.first.line - b.first.line);
  }
}

/** Reads the ids of the first requests of the groups, in a second pass, because the first pass could not know that they have repeats. */
function readFirsts(
  path: string,
  lines: readonly number[],
  groups: readonly Groups[],
  context: PassContext,
): ReadonlyMap<number, DuplicateLine> {
  const wanted = new Map<number, number>();
  for (const group of groups) {
    for (const first of group.firsts()) {
      wanted.set(lines[first] as number, first);
    }
  }
  const firsts = new Map<number, DuplicateLine>();
  if (wanted.size > 0) {
    walkRequests(
      path,
      line => {
        const first = wanted.get(line.line);
        if (first !== undefined) {
          firsts.set(first, { line: line.line, id: idOf(line) });
        }
      },
      () => context.throwIfAborted(),
    );
  }
  return firsts;
}
