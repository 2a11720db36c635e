import type { ServiceClient } from '../../../src/client/serviceClient';
import { isPending } from '../../../src/features/batches/runRow';
import { BatchWatcher } from '../../../src/features/batches/watching/batchWatcher';
import { LedgerChanges } from '../../../src/features/batches/watching/ledgerChanges';
import { summarize } from '../../../src/features/batches/watching/runSummary';
import { presentStatus } from '../../../src/features/batches/watching/statusPresentation';
import type { Connection } from '../../../src/features/connection/connection';
import { resultsOfSource } from '../../../src/features/ledger/runs';
import { SubmissionRegistry } from '../../../src/features/ledger/submissionRegistry';
import { answerRunsOf } from '../../../src/features/requests/answers/answerRuns';
import { batchOf, connection, idOf, sourceOf } from './ledgerOnDisk';
import { cpuOf, middle } from './viewPart';
import { batchesView, changedBatch, clock, context } from './views';

const turns = 5;
const firstRows = 100;
const idleSeconds = 300;

/** Measures a ledger of `count` submissions, with the view of their batches. */
export async function ledgerPart(count: number, folder: string, collect: () => void) {
  const warn = (message: string) => {
    throw new Error(message);
  };
  // The first view is not measured, because compiled code and some caches don't grow with the rows.
  const onceMs = await cpuOf(async () => {
    const few = batchesView({ all: () => [], findByBatch: () => undefined });
    few.first(firstRows);
    await few.window.drawAll();
  });
  collect();
  const before = process.memoryUsage().heapUsed;
  const registry = new SubmissionRegistry({ folder, log: { warn }, clock });
  const loadMs = await cpuOf(() => registry.load());
  collect();
  const heapKb = (process.memoryUsage().heapUsed - before) / count / 1024;
  const view = batchesView(registry);
  const { store, window } = view;
  const summary = () => presentStatus(summarize(registry.all(), isPending), context());
  const draw = async () => {
    summary();
    view.refresh();
    await window.draw();
  };
  // A window first shows one page. Each Load More adds a hundred rows, so nobody can load all at once.
  view.first(firstRows);
  const firstMs = await cpuOf(() => window.drawAll());
  for (let rows = firstRows; rows < count; rows += 1000) {
    await view.more(rows, Math.min(1000, count - rows));
  }
  const allMs = await cpuOf(draw);
  // Records and lists changes of several batches, as one poll does.
  const see = async (rows: number, turn: number) => {
    for (let index = 0; index < rows; index++) {
      const row = Math.floor((index * count) / rows) + turn;
      const batch = changedBatch(row, turn);
      await registry.update(idOf(row), { batch });
      store.put(connection, batch);
    }
  };
  // Only rendering is measured, not the writes to the disk.
  const one: number[] = [];
  const hundred: number[] = [];
  const asked = { one: 0, hundred: 0 };
  for (let turn = 1; turn <= turns; turn++) {
    await see(1, turn);
    window.asked = 0;
    one.push(await cpuOf(draw));
    asked.one = Math.max(asked.one, window.asked);
    await see(100, turn);
    window.asked = 0;
    hundred.push(await cpuOf(draw));
    asked.hundred = Math.max(asked.hundred, window.asked);
  }
  const wholeHundredMs = await cpuOf(async () => {
    await see(100, turns + 1);
    await draw();
  });
  const open: number[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    await see(1, turns + 1 + turn);
    open.push(await cpuOf(() => openFile(registry, sourceOf(turn * 20))));
  }
  const idle = await stayIdle(registry, draw, folder);
  registry.dispose();
  return {
    ...{ onceMs, loadMs, firstMs, allMs, oneMs: middle(one), oneRows: asked.one, hundredMs: middle(hundred), hundredRows: asked.hundred },
    ...{
      wholeHundredMs,
      openMs: middle(open),
      idlePercent: (100 * idle.ms) / (idleSeconds * 1000),
      requestsPerMinute: idle.perMinute,
      heapKb,
    },
  };
}

/** Makes the calls on the ledger for opening a request file. */
function openFile(registry: SubmissionRegistry, source: string): void {
  const all = registry.all();
  answerRunsOf(all, source);
  resultsOfSource(all, source);
  registry.findBySource(source);
  for (const one of new Set(all.map(submission => submission.source))) {
    resultsOfSource(all, one);
  }
}

/** Watches the batches as a visible window does, while idle. */
async function stayIdle(registry: SubmissionRegistry, draw: () => Promise<void>, folder: string) {
  let calls = 0;
  const { store } = batchesView(registry);
  const batches = {
    list: async ({ limit = 20 }) => {
      calls++;
      return { items: Array.from({ length: limit }, (_, row) => batchOf(row, idleStart)), nextCursor: 'after', requestId: undefined };
    },
    retrieve: async () => {
      calls++;
      throw new Error('Nothing runs.');
    },
  };
  const idleStart = clock.at;
  const place = { name: connection, baseUrl: 'https://service.example', isEmulator: false } as Connection;
  const news = new LedgerChanges({
    root: folder,
    reload: () => registry.reload(),
    ...{ onFile: () => {}, warn: () => {}, clock },
  });
  await news.start();
  const watcher = new BatchWatcher({
    connections: { current: place, access: 'A', state: 'ready', find: () => place },
    reach: async () => ({ baseUrl: place.baseUrl, batches }) as unknown as ServiceClient,
    registry,
    store,
    lease: { take: async () => true, release: async () => {} },
    catchUp: () => news.catchUp(),
    ...{ isVisible: () => true, isFocused: () => true, isTrusted: () => true, isReachable: () => true },
    fetches: { begin: () => ({}), waitOf: () => undefined, attempt: async () => undefined },
    onEnded: () => {},
    findOut: async () => undefined,
    warn: () => {},
    clock,
  });
  const { signal } = new AbortController();
  const end = clock.at + idleSeconds * 1000;
  let nextLook = clock.at;
  let nextTick = clock.at;
  const ms = await cpuOf(async () => {
    while (clock.at < end) {
      if (clock.at >= nextLook) {
        nextLook = clock.at + ((await watcher.poll(signal)) ?? Number.POSITIVE_INFINITY);
      }
      if (clock.at >= nextTick) {
        await draw();
        nextTick = clock.at + 5_000;
      }
      clock.at = Math.min(nextLook, nextTick, end);
    }
  });
  news.dispose();
  return { ms, perMinute: (calls * 60) / idleSeconds };
}
