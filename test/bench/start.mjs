// The row `start`: the size and the loaded code of the extension, and its activation time in VS Code with an open request file, compared
// with an empty extension. The times are VS Code's own (`Developer: Startup Performance`), in whole milliseconds. Each extension has its
// own windows, because two extensions in one window would wait for each other.
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { copyProject, graphFrom, packExtension, staticGraph } from '../helpers/packExtension.mjs';
import { addressOf, calmContext, letIn, toDevelopment } from '../host/browserWindow.mjs';
import { openChannel } from '../host/channel.mjs';
import { ensureChromium, launchChromium } from '../host/chromium.mjs';
import { startCodeServer } from '../host/codeServer.mjs';
import { openForTests } from '../host/page/inPage.mjs';
import { ensureRuntime } from '../host/runtime.mjs';
import { writeRequestFile } from './batchFiles.mjs';
import { inBenchFolder, median, worst } from './children.mjs';
import { judge } from './judging.mjs';

export const startPromises = { addedMs: 40, entryBytes: 250_000, vsixBytes: 3_000_000 };

const windowSeconds = 120;
const measured = { ours: 'managed-agents.managed-agents', empty: 'bench.empty' };

/** Activates each of the two extensions in `rounds` new windows, after a first window that isn't measured. */
export async function runStart({ rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ startProbe: 'test/bench/startProbe.ts' }, async ({ out }) => {
    const extension = path.join(out, 'extension');
    mkdirSync(extension);
    copyProject(extension);
    const { vsix, metafile } = await packExtension(extension);
    reportSizes(metafile, statSync(vsix).size, onRow);

    // VS Code loads a test module as an ES module because of its name.
    const probe = path.join(out, 'startProbe.mjs');
    renameSync(path.join(out, 'startProbe.js'), probe);
    const folders = { ours: extension, empty: writeEmpty(path.join(out, 'empty')) };
    reportTimes(await openWindows({ folders, probe, rounds }), onRow);
  });
}

/** Writes an extension that does nothing and is activated by the same events. */
function writeEmpty(folder) {
  mkdirSync(folder);
  const manifest = {
    publisher: 'bench',
    name: 'empty',
    version: '1.0.0',
    engines: { vscode: '^1.105.0' },
    main: './extension.cjs',
    activationEvents: ['onStartupFinished', 'onLanguage:jsonl'],
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'extension.cjs'), "const vscode = require('vscode');\nexports.activate = () => vscode.version;\n");
  return folder;
}

/** Returns VS Code's report of each activation. */
async function openWindows({ folders, probe, rounds }) {
  const runtime = await ensureRuntime('newest', console.log);
  const chromium = await ensureChromium(runtime.node, console.log);
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-start-'));
  const file = path.join(folder, 'requests.jsonl');
  writeRequestFile(file, 1000, 1000);
  let settle = { resolve: _report => {}, reject: _error => {} };
  const channel = await openChannel((name, [value]) =>
    name === 'report' ? settle.resolve(value) : settle.reject(new Error(`${name}: ${value}`)),
  );
  let server;
  let browser;
  try {
    server = await startCodeServer({ runtime, settings: { 'security.workspace.trust.enabled': false }, env: channel.env });
    browser = await launchChromium(chromium, server.folder);
    const runs = { ours: [], empty: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const name of Object.keys(runs)) {
        const report = new Promise((resolve, reject) => {
          settle = { resolve, reject };
        });
        const context = await letIn(await browser.newContext(calmContext), server);
        await context.addInitScript(openForTests, toDevelopment(server, folders[name], probe));
        await (await context.newPage()).goto(addressOf(server, folder, file));
        // An extension host ends after its tests, so its end is no error.
        const late = wait(windowSeconds * 1000, undefined, { ref: false });
        const shown = await Promise.race([report, late]);
        if (shown === undefined) {
          throw new Error(`No report came within ${windowSeconds} s.`);
        }
        const { text, language } = shown;
        await context.close();
        if (language !== 'jsonl') {
          throw new Error(`The editor showed ${language} while the extension was activated.`);
        }
        if (round > 0) {
          runs[name].push(activationOf(text, measured[name]));
        }
      }
    }
    return runs;
  } finally {
    await browser?.close();
    await server?.stop();
    channel.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the line of an extension in VS Code's report: Extension, Eager, Load Code, Call Activate, Finish Activate, Event, By. */
function activationOf(text, id) {
  const line = text.split('\n').find(row => row.includes(`| ${id} `)) ?? '';
  const [, , loadMs, callMs, finishMs, event] = line
    .split('|')
    .slice(1)
    .map(cell => cell.trim());
  if (event === undefined) {
    throw new Error(`VS Code's report does not name ${id}:\n${text}`);
  }
  const ms = Number(loadMs) + Number(callMs) + Number(finishMs);
  return { ms, loadMs: Number(loadMs), callMs: Number(callMs), finishMs: Number(finishMs), event };
}

function reportTimes(runs, onRow) {
  for (const [name, activations] of Object.entries(runs)) {
    onRow({
      row: `start of ${name === 'ours' ? 'this extension' : 'an empty extension'}`,
      ms: median(activations, 'ms'),
      loadMs: median(activations, 'loadMs'),
      callMs: median(activations, 'callMs'),
      finishMs: median(activations, 'finishMs'),
      minMs: Math.min(...activations.map(({ ms }) => ms)),
      worstMs: worst(activations, 'ms'),
      windows: activations.length,
      by: [...new Set(activations.map(({ event }) => event))].join(', '),
    });
  }
  // Each of our windows is compared with the empty extension's in the same round.
  const added = runs.ours.map(({ ms }, round) => ms - runs.empty[round].ms);
  const promise = judge({ promise: 'ms more than an empty extension', values: added, atMost: startPromises.addedMs });
  onRow({ row: 'start, added', ms: promise.seen }, { runs, promises: [promise] });
}

function reportSizes(metafile, vsixBytes, onRow) {
  const entry = staticGraph(metafile, 'extension.cjs');
  const heavy = entry.inputs.filter(input => /node_modules\/(?:undici|zod)\/|src\/emulator\//.test(input));
  onRow(
    { row: 'start, loaded at once', KB: entry.bytes / 1000, files: entry.outputs.size, heavy: heavy.join(' ') || 'nothing' },
    {
      promises: [
        judge({ promise: 'bytes of the entry', values: [entry.bytes], atMost: startPromises.entryBytes, isExact: true }),
        judge({ promise: 'heavy modules in it', values: [heavy.length], atMost: 0, isExact: true }),
      ],
    },
  );
  for (const name of lazily(metafile, entry)) {
    const { bytes, outputs } = graphFrom(metafile, name);
    const ownBytes = [...outputs]
      .filter(output => !entry.outputs.has(output))
      .reduce((sum, output) => sum + metafile.outputs[output].bytes, 0);
    const source = metafile.outputs[name].entryPoint ?? path.basename(name);
    onRow({ row: `start, later: ${source}`, KB: ownBytes / 1000, withSharedKB: bytes / 1000 });
  }
  for (const thread of ['jsonlThread.js', 'emulatorThread.js']) {
    onRow({ row: `start, in a thread: ${thread}`, KB: staticGraph(metafile, thread).bytes / 1000 });
  }
  const size = judge({ promise: 'bytes of the package', values: [vsixBytes], atMost: startPromises.vsixBytes, isExact: true });
  onRow({ row: 'start, VSIX', KB: vsixBytes / 1000 }, { promises: [size] });
}

/** Returns the files that dynamic imports can load after the start, the largest first. */
function lazily(metafile, entry) {
  const found = new Set(entry.lazy);
  for (const name of found) {
    for (const more of graphFrom(metafile, name).lazy) {
      found.add(more);
    }
  }
  return [...found].sort((a, b) => graphFrom(metafile, b).bytes - graphFrom(metafile, a).bytes);
}
