// The row `panel`: the session panel in a real Chromium, compared with a page that appends a row per event.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureChromium, launchChromium } from '../host/chromium.mjs';
import { inBenchFolder, median, worst } from './children.mjs';
import { judge } from './judging.mjs';
import { buildBundle } from './panelBundle.mjs';
import { appendRows, feed, measure, startFeeding, takeMeasures } from './panelInPage.mjs';

export const panelPromises = { longestTaskMs: 150, nodes: 300, rendererMb: 280, medianMs: 60, p99Ms: 150 };

const maxRows = 50_000;
const storm = { perSecond: 5000, seconds: 10 };
const steady = { perSecond: 50, seconds: 8 };

export async function runPanel({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({}, async ({ folder }) => {
    const bundle = await buildBundle('session', true);
    const server = await serve(bundle);
    const choice = await ensureChromium(process.execPath, line => console.log(line));
    try {
      const counts = new Set(sizes.map(size => Math.min(size, maxRows)));
      for (const rows of counts) {
        const runs = { ours: [], naive: [] };
        for (let round = 0; round < rounds; round++) {
          for (const subject of Object.keys(runs)) {
            runs[subject].push(await runOnce(choice, folder, server.origin, subject, { rows, isStormy: rows === Math.max(...counts) }));
          }
        }
        for (const [subject, measured] of Object.entries(runs)) {
          const values = {
            row: `panel ${subject} ${rows} rows`,
            loadMs: median(measured, 'loadMs'),
            loadTaskMs: median(measured, 'loadTaskMs'),
            ...(measured[0]?.stormTaskMs === undefined
              ? {}
              : {
                  stormTaskMs: median(measured, 'stormTaskMs'),
                  worstTaskMs: worst(measured, 'stormTaskMs'),
                  droppedFrames: median(measured, 'droppedFrames'),
                  behindRows: median(measured, 'behindRows'),
                }),
            nodes: worst(measured, 'nodes'),
            rendererMb: median(measured, 'rendererMb'),
            keptMb: median(measured, 'keptMb'),
            emptyMb: median(measured, 'emptyMb'),
            medianMs: median(measured, 'medianMs'),
            p99Ms: median(measured, 'p99Ms'),
          };
          onRow(values, { runs: { [subject]: measured }, promises: subject === 'ours' ? judgePanel(measured) : [] });
        }
      }
    } finally {
      server.close();
    }
  });
}

function judgePanel(runs) {
  const tasks = runs.map(run => Math.max(run.loadTaskMs, run.stormTaskMs ?? 0));
  const of = field => runs.map(run => run[field]);
  return [
    judge({ promise: 'longest task, ms', values: tasks, atMost: panelPromises.longestTaskMs }),
    judge({ promise: 'nodes', values: of('nodes'), atMost: panelPromises.nodes }),
    judge({ promise: 'MB of the renderer', values: of('rendererMb'), atMost: panelPromises.rendererMb }),
    judge({ promise: 'median ms', values: of('medianMs'), atMost: panelPromises.medianMs }),
    judge({ promise: '99th percentile, ms', values: of('p99Ms'), atMost: panelPromises.p99Ms }),
  ];
}

/**
 * Uses one browser and one page. Loads the rows, then sends a storm of further rows and a steady stream. Only the longest list gets a
 * storm, which takes long.
 */
async function runOnce(choice, folder, origin, subject, { rows, isStormy }) {
  const browser = await launchChromium(choice, folder);
  try {
    // The events come from a thread of the page. The policy of a real panel forbids threads, so it is turned off here.
    const context = await browser.newContext({ viewport: { width: 900, height: 700 }, bypassCSP: true });
    await context.addInitScript(feed);
    await context.addInitScript(measure);
    const page = await context.newPage();
    await page.goto(`${origin}/${subject}`);
    if (subject === 'naive') {
      await page.evaluate(appendRows);
    }
    const memoryBefore = await rendererMemory(browser);
    const load = await stream(page, { rows, perSecond: 0 });
    const heavy = isStormy ? await stream(page, { rows: storm.perSecond * storm.seconds, perSecond: storm.perSecond }) : undefined;
    const rendererMb = await rendererMemory(browser);
    const keptMb = await memoryWithoutWaste(page, browser);
    const nodes = await page.locator('.timeline *').count();
    const light = await stream(page, { rows: steady.perSecond * steady.seconds, perSecond: steady.perSecond });
    return {
      loadMs: load.allMs,
      loadTaskMs: load.longestTaskMs,
      ...(heavy === undefined
        ? {}
        : { stormTaskMs: heavy.longestTaskMs, droppedFrames: heavy.droppedFrames, behindRows: heavy.behindRows }),
      nodes,
      rendererMb,
      keptMb,
      emptyMb: memoryBefore,
      medianMs: light.medianMs,
      p99Ms: light.p99Ms,
    };
  } finally {
    await browser.close();
  }
}

async function stream(page, options) {
  await page.evaluate(startFeeding, options);
  const late = Date.now() + 60_000;
  for (;;) {
    const measures = await page.evaluate(takeMeasures);
    if (measures !== null) {
      return measures;
    }
    if (Date.now() > late) {
      throw new Error(`${options.rows} rows were not drawn within 60 s`);
    }
    await wait(200);
  }
}

/** Returns the memory after a garbage collection. */
async function memoryWithoutWaste(page, browser) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  return await rendererMemory(browser);
}

/** Returns the resident memory of the page's process in MB, after the thread that wrote the rows has ended. */
async function rendererMemory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = [];
  for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
    const late = Date.now() + 10_000;
    while (threadNames(id).includes('DedicatedWorker')) {
      if (Date.now() > late) {
        throw new Error('The thread that wrote the rows is still there.');
      }
      await wait(5);
    }
    sizes.push(Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  }
  return Math.max(...sizes);
}

function threadNames(id) {
  return readdirSync(`/proc/${id}/task`).flatMap(thread => {
    try {
      return [readFileSync(`/proc/${id}/task/${thread}/comm`, 'utf8').trim()];
    } catch {
      // The process has ended meanwhile.
      return [];
    }
  });
}

async function serve({ script, style, chunks }) {
  const themes = JSON.parse(readFileSync('test/fixtures/webview/themes.json', 'utf8'));
  const variables = Object.entries(themes.dark)
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ');
  const pages = new Map([
    ['/session.js', ['text/javascript', script]],
    ...[...chunks].map(([place, text]) => /** @type {const} */ ([`/${place}`, ['text/javascript', text]])),
    ['/session.css', ['text/css', `html { ${variables} --vscode-font-size: 13px; --vscode-font-family: sans-serif; }\n${style}`]],
    [
      '/ours',
      [
        'text/html',
        '<!DOCTYPE html><meta charset="utf-8"><link rel="stylesheet" href="session.css"><body><div id="root"></div><script type="module" src="session.js"></script>',
      ],
    ],
    [
      '/naive',
      [
        'text/html',
        '<!DOCTYPE html><meta charset="utf-8"><link rel="stylesheet" href="session.css"><body><div class="timeline" role="feed"></div>',
      ],
    ],
  ]);
  const server = createServer(({ url = '/' }, response) => {
    const [type, body] = pages.get(url) ?? ['text/plain', ''];
    response.setHeader('Content-Type', type);
    response.end(body);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
