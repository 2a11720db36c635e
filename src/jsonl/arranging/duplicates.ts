import { statSync } from 'node:fs';
import { writeLinesOf } from '../files/blockWriter';
import { type PassContext, toOnRead } from '../files/lineFile';
import { idOf, type WalkedLine, walkRequests } from '../files/requestWalk';
import { LF } from '../scanning/jsonBytes';
import type { DuplicateGroup, DuplicateLine, DuplicatesReport, RepeatKind, UniqueReport, UniqueSource } from './arrangingJobs';
import { isRepeat, Repeats } from './repeats';

/** Maximum number of groups in a report, and of later lines in a group. */
const maxGroups = 500;
const maxLater = 20;
const lineFeed = Buffer.from([LF]);

/** Finds requests of a file that repeat earlier ones. Blocks the thread, so only for workers. */
export function findDuplicates({ path }: { readonly path: string }, context: PassContext): DuplicatesReport {
  const repeats = new Repeats();
  const sameParams = new Groups();
  const sameIds = new Groups();
  const counts: Record<RepeatKind, number> = { params: 0, request: 0, id: 0 };
  const lines: number[] = [];
  const visit = (line: WalkedLine) => {
    if (line.kind === 'broken') {
      return;
    }
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
  };
  const others = walkRequests(path, visit, toOnRead(context, statSync(path).size));
  const placeOf = (request: number) => ({ line: lines[request] as number, id: repeats.idOf(request) });
  return {
    ...others,
    requests: lines.length,
    repeats: counts,
    sameParams: sameParams.list(placeOf),
    sameParamsGroups: sameParams.count,
    sameIds: sameIds.list(placeOf),
    sameIdsGroups: sameIds.count,
  };
}

/** Writes the lines of a file without requests that repeat an earlier one. Blocks the thread, so only for workers. */
export async function writeUnique({ path, outPath, by }: UniqueSource, context: PassContext): Promise<UniqueReport> {
  const repeats = new Repeats();
  let dropped = 0;
  let written = 0;
  const others = await writeLinesOf([path], outPath, context, out =>
    walkRequests(
      path,
      line => {
        if (line.kind !== 'broken' && isRepeat(repeats.look(line), by)) {
          dropped++;
          return;
        }
        written++;
        out.add(line.bytes, line.start, line.end);
        out.add(lineFeed);
      },
      toOnRead(context, statSync(path).size),
    ),
  );
  return { ...others, written, dropped };
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
    if (group === undefined && this.byFirst.size < maxGroups) {
      group = { later: [], laterCount: 0 };
      this.byFirst.set(first, group);
    }
    if (group !== undefined) {
      group.laterCount++;
      if (group.later.length < maxLater) {
        group.later.push({ line: line.line, id: idOf(line) });
      }
    }
  }

  list(placeOf: (request: number) => DuplicateLine): readonly DuplicateGroup[] {
    return [...this.byFirst].map(([first, group]) => ({ ...group, first: placeOf(first) })).sort((a, b) => a.first.line - b.first.line);
  }
}
