import { collator } from '../../../shared/formats';
import type { Row, ToolRow } from '../../../shared/session/rows/rows';

/** Statistics of one tool. Times are in milliseconds, from calls with known times. `undefined` without such calls. */
interface ToolStatistic {
  readonly tool: ToolRow['tool'];
  readonly name: string;
  readonly server?: string;
  readonly calls: number;
  readonly failed: number;
  readonly denied: number;
  readonly open: number;
  readonly medianMs: number | undefined;
  readonly longestMs: number | undefined;
  readonly longestKey: string | undefined;
}

/** Returns the statistics of all tools, most frequent first, then by name. */
export function toToolStatistics(rows: readonly Row[], locale: string): readonly ToolStatistic[] {
  const calls = new Map<string, ToolRow[]>();
  for (const row of rows) {
    if (row.kind === 'tool') {
      const tool = JSON.stringify([row.tool, row.server, row.name]);
      const known = calls.get(tool);
      if (known === undefined) {
        calls.set(tool, [row]);
      } else {
        known.push(row);
      }
    }
  }
  const names = collator(locale, { numeric: true });
  return [...calls.values()].map(toStatistic).sort((a, b) => b.calls - a.calls || names.compare(a.name, b.name));
}

function toStatistic(rows: readonly ToolRow[]): ToolStatistic {
  const [first] = rows;
  const count = (...states: readonly ToolRow['state'][]) => rows.filter(({ state }) => states.includes(state)).length;
  const timed = rows.flatMap(({ key, durationMs }) => (durationMs === undefined ? [] : [{ key, durationMs }]));
  timed.sort((a, b) => a.durationMs - b.durationMs);
  const longest = timed.at(-1);
  return {
    tool: first?.tool ?? 'builtin',
    name: first?.name ?? '',
    ...(first?.server === undefined ? {} : { server: first.server }),
    calls: rows.length,
    failed: count('failed'),
    denied: count('denied'),
    open: count('running', 'waiting', 'held'),
    medianMs: medianOf(timed.map(({ durationMs }) => durationMs)),
    longestMs: longest?.durationMs,
    longestKey: longest?.key,
  };
}

function medianOf(sorted: readonly number[]): number | undefined {
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  return lower === undefined || upper === undefined ? undefined : (lower + upper) / 2;
}
