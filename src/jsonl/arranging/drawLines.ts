import { createHash } from 'node:crypto';
import type { PassContext } from '../files/lineFile';
import { sharedWords } from '../files/typedArrays';
import type { DrawSource, SampledLines } from './arrangingJobs';
import { chosen, createRandom } from './random';
import { readRows } from './rowTable';
import { divide, type Group, lengthGroups, ModelColumn } from './sampleFile';

const tenths = 10;

/**
 * Chooses requests so that every model is represented, and for each model both short and long requests. Each group gets at least one
 * request if `count` is large enough. The rest is distributed in proportion. The same seed chooses the same lines. Blocks the thread, so
 * only for workers.
 */
export async function drawLines({ path, seed, count }: DrawSource, context: PassContext): Promise<SampledLines> {
  const column = new ModelColumn();
  const hash = createHash('sha256');
  const { rows } = readRows(
    path,
    context,
    (line, row) => column.add(line, row),
    { requestsOnly: true },
    bytes => hash.update(bytes),
  );
  const total = rows.count;
  const wanted = Math.min(total, Math.max(1, count));
  const byModel = column.groups(total).filter(group => group.rows.length > 0);
  const lengths = Math.max(1, Math.min(tenths, Math.floor(wanted / Math.max(1, byModel.length))));
  const groups = byModel.flatMap(group => lengthGroups(rows, group.rows, lengths));
  const random = createRandom(seed);
  const quotas = quotasOf(wanted, groups);
  const selected = groups.flatMap((group, index) => [...chosen(group.rows, quotas[index] ?? 0, random)]).sort((a, b) => a - b);
  const lines = sharedWords(selected.length);
  for (const [index, row] of selected.entries()) {
    lines[index] = rows.lines[row] as number;
  }
  return { lines, total, models: byModel.length, sha256: hash.digest('hex') };
}

function quotasOf(wanted: number, groups: readonly Group[]): readonly number[] {
  const sizes = groups.map(group => group.rows.length);
  if (wanted < groups.length) {
    return divide(wanted, sizes);
  }
  // Each group already has one request, so `divide` distributes only the rest. If all groups are full, the rest is 0.
  const rest = divide(
    wanted - groups.length,
    sizes.map(size => size - 1),
  );
  return sizes.map((_, index) => 1 + (rest[index] ?? 0));
}
