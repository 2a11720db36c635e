// @ts-check
// npm start: a real VS Code with the extension in it, the built-in emulator as its connection, and samples to try things on.
//   npm start -- [--port N] [--ask-trust] [--folder DIR]
// --port is the port on 127.0.0.1 if VS Code is served to a browser. --ask-trust opens the samples in Restricted Mode, like any unknown
// folder. --folder replaces the folder with the user's files, settings and open editors, which all starts share.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quietSettings } from '../host/codeServer.mjs';
import { chooseVsCode } from './chooseVsCode.mjs';
import { openInBrowser, openOnDesktop } from './editors.mjs';
import { buildWhenStale } from './freshBuild.mjs';
import { takeFolder } from './oneAtATime.mjs';
import { whenParentEnds } from './whenParentEnds.mjs';
import { layFiles, readFiles, readMemory, toWorkFolder, writeMemory } from './workFolder.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: { port: { type: 'string' }, 'ask-trust': { type: 'boolean', default: false }, folder: { type: 'string' } },
});
const settings = { ...quietSettings, 'managedAgents.connection': 'Emulator' };
const log = (/** @type {string} */ line) => console.log(line);
/** Text that another `npm start` in the same folder prints. */
let told = 'It is still starting.';

/** @type {Promise<string>} */
const stopped = new Promise(resolve => {
  // Keeps listening, because a Ctrl-C arrives twice: from the terminal and from npm.
  process.on('SIGINT', () => resolve('Ctrl-C'));
  process.on('SIGTERM', () => resolve('SIGTERM'));
  process.on('SIGHUP', () => resolve('SIGHUP'));
  process.once('disconnect', () => resolve('What started it has ended'));
  whenParentEnds(() => resolve('What started it has ended'));
});

/** @param {string} folder */
async function start(folder) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  await buildWhenStale(root, async () => {
    log(`Building the extension (${version})`);
    const [{ buildExtension }, { stop }] = await Promise.all([import('../../esbuild.mjs'), import('esbuild')]);
    await buildExtension({ absWorkingDir: root, logLevel: 'warning' });
    // esbuild's own process isn't needed any more, and could outlive this process.
    await stop();
  });
  const choice = await chooseVsCode(log);
  log(`VS Code: ${choice.kind === 'desktop' ? choice.executable : 'code-server from npm'} (${choice.why})`);
  const memory = readMemory(folder);
  const profile = choice.kind === 'desktop' ? 'desktop' : 'browser';
  const { laid, kept } = layFiles(
    folder,
    {
      ...readFiles(path.join(root, 'media/samples'), 'samples'),
      [`${profile}/user/User/settings.json`]: JSON.stringify(settings, null, 2),
    },
    memory.laid,
  );
  writeMemory(folder, { ...memory, laid });
  const samples = path.join(folder, 'samples');
  log(`Your files: ${samples}`);
  log('  They stay until you delete them, with what you change and fetch there; the samples you did not change are renewed.');
  if (kept.length > 0) {
    log(`  Newer here, but changed by you, and so left alone: ${kept.map(name => path.basename(name)).join(', ')}`);
  }
  const place = { root, samples, profile: path.join(folder, profile), asksForTrust: values['ask-trust'], log };
  if (choice.kind === 'desktop') {
    return await openOnDesktop(choice.executable, place);
  }
  const opened = await openInBrowser({
    ...place,
    memory: { ...memory, laid },
    port: values.port === undefined ? undefined : Number(values.port),
  });
  writeMemory(folder, opened.memory);
  told = `Its address:\n\n  ${opened.address}\n`;
  return opened;
}

try {
  const folder = values.folder === undefined ? toWorkFolder(process.env, process.platform, os.homedir()) : path.resolve(values.folder);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const { other } = await takeFolder(folder, () => `npm start runs already, as process ${process.pid} from ${root}. ${told}`);
  if (other !== undefined) {
    log(other);
    log('Ctrl-C in its terminal ends it. Another one beside it: npm start -- --folder DIR');
    process.exit(0);
  }
  const opened = await start(folder);
  log('First, click "Create Batch" above line 1 of questions.jsonl. The connection is the built-in emulator; no key is needed.');
  log('Ctrl-C ends everything. Your files stay.');
  const ended = await Promise.race([stopped.then(reason => ({ reason, isGood: true })), opened.ended]);
  log(`\n${ended.reason}: stopping. Your files stay in ${path.join(folder, 'samples')}`);
  await opened.stop();
  if (!ended.isGood) {
    console.error(opened.output());
  }
  process.exit(ended.isGood ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
