// Builds dist/: the extension (CommonJS files), the threads, the emulator's command line, and the webviews, which share chunks.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = import.meta.dirname;
const flags = new Set(process.argv.slice(2));
const logLevel = flags.has('--quiet') ? 'warning' : 'info';
const common = { bundle: true, format: 'esm', splitting: true, outdir: 'dist', sourcemap: 'linked', sourcesContent: false, logLevel };

/** Resolves an import of `x.wasm` to the bytes of `x.ts` in the same folder, compiled to WebAssembly. node_modules caches them. */
const webAssembly = {
  name: 'webAssembly',
  setup(setup) {
    setup.onResolve({ filter: /\.wasm$/ }, ({ path: asked, resolveDir }) => ({
      path: path.join(resolveDir, asked.replace(/\.wasm$/, '.ts')),
      namespace: 'webAssembly',
    }));
    setup.onLoad({ filter: /./, namespace: 'webAssembly' }, ({ path: file }) => {
      const compiler = path.join(root, 'node_modules/assemblyscript');
      const options = '--runtime stub --noAssert -O3 --enable simd --importMemory --zeroFilledMemory --use abort='.split(' ');
      const watchFiles = readdirSync(path.dirname(file)).map(name => path.join(path.dirname(file), name));
      const contents = [...watchFiles, path.join(compiler, 'package.json')].map(source => readFileSync(source, 'utf8'));
      const hash = createHash('sha256').update(JSON.stringify([path.basename(file), options, contents]));
      const cached = path.join(root, 'node_modules/.cache/managed-agents', `${hash.digest('hex')}.wasm`);
      if (!existsSync(cached)) {
        const own = `${cached}.${process.pid}`;
        execFileSync(process.execPath, [path.join(compiler, 'bin/asc.js'), file, '--outFile', own, ...options]);
        renameSync(own, cached);
      }
      return { contents: readFileSync(cached), loader: 'binary', watchFiles };
    });
  },
};

/** @type {import('esbuild').BuildOptions} Options for everything that runs in Node, tests included. */
export const nodeOptions = {
  ...common,
  plugins: [webAssembly],
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  // Defines `require`, with which undici and yaml (CommonJS) load modules of Node: https://github.com/evanw/esbuild/issues/1921
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
};

/** Separate programs: the threads, the MCP bridge, and the emulator's command line, which does not ship. */
export const threadEntryPoints = {
  mcpBridge: 'src/features/assistant/mcp/mcpBridge.ts',
  jsonlThread: 'src/jsonl/jobs/worker.ts',
  emulatorThread: 'src/emulator/thread.ts',
  emulatorCli: 'test/start/emulatorCli.ts',
};
// The threads are built separately, because their chunks must not import `vscode`.
const threads = { ...nodeOptions, entryPoints: threadEntryPoints };
const extension = { ...nodeOptions, banner: {}, entryPoints: { extension: 'src/extension.ts' }, outExtension: { '.js': '.cjs' } };

/** Options for everything that runs in a webview. Shared code ships once; modules inherit the nonce of the page's script. */
export const browserOptions = {
  ...common,
  entryPoints: Object.fromEntries(
    ['comparison', 'inbox', 'results', 'session', 'sheet'].map(name => [`webview/${name}`, `src/webview/${name}/index.tsx`]),
  ),
  platform: 'browser',
  target: 'chrome138',
  chunkNames: 'webview/chunks/[name]-[hash]',
};

/** Modules that load together when one of them is imported dynamically. A module belongs to the first pattern that it matches. */
const lateParts = {
  start: /^src\/(?:extension|common|features\/(?:connection|emulator|ledger|batches\/batchesView))\b/,
  requests: /^src\/(?:jsonl|features\/requests)\b/,
  batches: /^src\/features\/(?:batches|requestTests|results)\b/,
  sessions: /^src\/features\/sessions\b/,
  resources: /^src\/features\/resources\b/,
  client: /^src\/client\b/,
  others: /./,
};

/**
 * Builds with one entry point for each part of `lateParts`. By default, esbuild creates an entry point for each dynamically imported
 * module: 420 files, of which the extension loads 179 as it starts. https://github.com/evanw/esbuild/issues/3780
 */
async function buildInParts(options) {
  const programs = Object.values(threadEntryPoints);
  const { metafile } = await build({ ...options, write: false, logLevel: 'error' });
  const late = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined && !programs.includes(entryPoint));
  const partOf = file => Object.keys(lateParts).find(name => lateParts[name].test(file));
  const inPart = name => late.filter(({ entryPoint }) => partOf(entryPoint) === name);
  // All parts import the modules that are loaded at the start, so that esbuild keeps these modules in one chunk.
  const atStart = inPart('start').map(({ entryPoint }) => `import './${entryPoint}';`);
  const plugin = {
    name: 'lateParts',
    setup(setup) {
      setup.onResolve({ filter: /^\./ }, async ({ path: asked, kind, importer, resolveDir }) => {
        const isLate = kind === 'dynamic-import';
        const found = isLate ? await setup.resolve(asked, { kind: 'import-statement', importer, resolveDir }) : undefined;
        return found && { path: partOf(path.relative(root, found.path).replaceAll(path.sep, '/')), namespace: 'latePart' };
      });
      setup.onLoad({ filter: /./, namespace: 'latePart' }, ({ path: name }) => {
        const exported = inPart(name).map(({ entryPoint, exports }) => `export { ${exports} } from './${entryPoint}';`);
        return { contents: [...atStart, ...exported].join('\n'), resolveDir: root };
      });
    },
  };
  return await build({ ...options, plugins: [...options.plugins, plugin] });
}

/**
 * Converts built ES modules to CommonJS, because esbuild splits only ES modules: https://github.com/evanw/esbuild/issues/16
 * Theia before 1.72 loads only CommonJS extensions (https://github.com/eclipse-theia/theia/issues/15876), and so do forks of VS Code
 * before 1.100 that report a newer version. Not all of them support `import()`.
 */
async function toCommonJs({ outputs }, { bundle, splitting, plugins, external, chunkNames, ...options }) {
  const converted = { entryPoints: Object.keys(outputs).filter(file => file.endsWith('.cjs')), outbase: options.outdir };
  await build({ ...options, ...converted, format: 'cjs', supported: { 'dynamic-import': false }, allowOverwrite: true });
}

/**
 * Builds everything once. Settles with the `outputs` of a metafile. `overrides` are esbuild options such as `outdir`.
 * @param {import('esbuild').BuildOptions} overrides
 */
export async function buildExtension(overrides = {}, isProduction = flags.has('--production')) {
  const shared = { minify: isProduction, sourcemap: isProduction ? false : 'linked', absWorkingDir: root, ...overrides, metafile: true };
  const built = await Promise.all([
    buildInParts({ ...extension, ...shared }),
    buildInParts({ ...threads, ...shared }),
    build({ ...browserOptions, ...shared }),
  ]);
  await toCommonJs(built[0].metafile, { ...extension, ...shared });
  return { outputs: Object.assign({}, ...built.map(({ metafile }) => metafile.outputs)) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync('dist', { recursive: true, force: true });
  if (flags.has('--watch')) {
    // The watched extension is one file, which esbuild builds as CommonJS without a conversion.
    const watchedExtension = { ...extension, format: 'cjs', splitting: false, chunkNames: undefined };
    const contexts = await Promise.all([watchedExtension, threads, browserOptions].map(options => context(options)));
    // The debugger waits for the first "build finished", so all builds must finish before it is printed.
    await Promise.all(contexts.map(one => one.rebuild()));
    await Promise.all(contexts.map(one => one.watch()));
  } else {
    await buildExtension();
  }
}
