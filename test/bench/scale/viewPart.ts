import { clock, type View } from './views';

/** Interval at which ages are refreshed, in milliseconds. */
const tick = 5_000;
const turns = 5;
const firstPage = 20;
/** Number of rows on each further page. */
const pageRows = 100;

/** Returns the processor time of the whole process during `work`, in milliseconds. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Measures a view with `count` rows: when it is first rendered, when rows change, when more are loaded, and while idle. */
export async function viewPart(make: () => View, count: number, collect: () => void) {
  // The first view is not measured, because compiled code and some caches don't grow with the rows.
  await fill(make(), 200);
  collect();
  const before = process.memoryUsage().heapUsed;
  const view = make();
  const { window } = view;
  const draw = async () => {
    view.refresh();
    await window.draw();
  };
  const { firstMs, moreMs, from420Ms } = await fill(view, count);
  collect();
  const heapKb = (process.memoryUsage().heapUsed - before) / count / 1024;
  const change = async (rows: number, turn: number) => {
    for (let index = 0; index < rows; index++) {
      view.change(Math.floor((index * count) / rows) + turn, turn);
    }
    await draw();
  };
  const one: number[] = [];
  const hundred: number[] = [];
  const idle: number[] = [];
  const asked = { one: 0, hundred: 0, idle: 0 };
  for (let turn = 1; turn <= turns; turn++) {
    window.asked = 0;
    one.push(await cpuOf(() => change(1, turn)));
    asked.one = Math.max(asked.one, window.asked);
    window.asked = 0;
    hundred.push(await cpuOf(() => change(100, turn)));
    asked.hundred = Math.max(asked.hundred, window.asked);
  }
  for (let turn = 1; turn <= turns; turn++) {
    clock.at += tick;
    window.asked = 0;
    idle.push(await cpuOf(draw));
    asked.idle = Math.max(asked.idle, window.asked);
  }
  return {
    ...{ firstMs, oneMs: middle(one), oneRows: asked.one, hundredMs: middle(hundred), hundredRows: asked.hundred },
    ...{ idleMs: middle(idle), idlePercent: (100 * middle(idle)) / tick, moreMs, from420Ms, heapKb },
  };
}

/**
 * Loads `count` rows. Loads the first thousand and the last few hundred page by page, as a person does. All rows in between are loaded and
 * rendered at once. `firstMs` is the time for these rows, or for the first page if there are none. `moreMs` is the time for one of the last
 * pages. `from420Ms` is the time for the pages from 420 to 1,020 rows.
 */
async function fill(view: View, count: number) {
  const draw = async () => {
    view.refresh();
    await view.window.draw();
  };
  const load = async (first: number, rows: number) => {
    await view.more(first, Math.min(rows, count - first));
  };
  view.first(firstPage);
  let firstMs = await cpuOf(() => view.window.drawAll());
  const paged = Math.min(count, firstPage + 1_000);
  const pages: number[] = [];
  let from420Ms = 0;
  let rows = firstPage;
  const loadPage = async () => {
    const ms = await cpuOf(async () => {
      await load(rows, pageRows);
      await draw();
    });
    pages.push(ms);
    from420Ms += rows >= 420 && rows < paged ? ms : 0;
    rows += pageRows;
  };
  while (rows < paged) {
    await loadPage();
  }
  const last = count - 5 * pageRows;
  if (rows < last) {
    await load(rows, last - rows);
    firstMs = await cpuOf(draw);
    rows = last;
  }
  while (rows < count) {
    await loadPage();
  }
  return { firstMs, moreMs: middle(pages.slice(-5)), from420Ms };
}
