// Builds dist/: the extension and its lazily loaded parts (CommonJS files that share chunks), the threads, the emulator's
// command line, and the webviews, which share chunks too.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { joinChunks } from './joinChunks.mjs';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

const common = {
  bundle: true,
  format: 'esm',
  outdir: 'dist',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: flags.has('--quiet') ? 'warning' : 'info',
};

const root = path.dirname(fileURLToPath(import.meta.url));
const compilerFlags = ['--runtime', 'stub', '--noAssert', '-O3', '--enable', 'simd', '--importMemory', '--use', 'abort='];

/** Reads an AssemblyScript source and the sources it imports from its folder, by name. */
function readAssembly(folder, name, sources = new Map()) {
  const source = readFileSync(path.join(folder, name), 'utf8');
  sources.set(name, source);
  for (const [, imported] of source.matchAll(/\bfrom '\.\/(\w+)'/g)) {
    if (!sources.has(`${imported}.ts`)) {
      readAssembly(folder, `${imported}.ts`, sources);
    }
  }
  return sources;
}

/** Compiles AssemblyScript to WebAssembly. Results are cached in node_modules, by content. */
async function compileWebAssembly(name, sources) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/assemblyscript/package.json'), 'utf8'));
  const key = createHash('sha256')
    .update(JSON.stringify([version, compilerFlags, name, ...sources]))
    .digest('hex');
  const kept = path.join(root, 'node_modules/.cache/managed-agents', `${key}.wasm`);
  if (existsSync(kept)) {
    return readFileSync(kept);
  }
  // Loading the compiler alone takes a second.
  const { default: compiler } = await import('assemblyscript/asc');
  let bytes;
  const { error, stderr } = await compiler.main([name, '--outFile', 'out.wasm', ...compilerFlags], {
    // Only sources in the cache key may be read.
    readFile: asked => sources.get(asked) ?? null,
    writeFile: (_, content) => {
      bytes = content;
    },
    listFiles: () => [],
  });
  if (error !== null) {
    throw new Error(`${name}: ${stderr.toString()}`, { cause: error });
  }
  mkdirSync(path.dirname(kept), { recursive: true });
  writeFileSync(`${kept}.${process.pid}`, bytes);
  renameSync(`${kept}.${process.pid}`, kept);
  return bytes;
}

/** Resolves an import of `x.wasm` to the bytes of `x.ts` in the same folder, compiled to WebAssembly. */
const webAssembly = {
  name: 'webAssembly',
  setup(setup) {
    setup.onResolve({ filter: /\.wasm$/ }, ({ path: asked, resolveDir }) => ({
      path: path.join(resolveDir, asked.replace(/\.wasm$/, '.ts')),
      namespace: 'webAssembly',
    }));
    setup.onLoad({ filter: /.*/, namespace: 'webAssembly' }, async ({ path: file }) => {
      const folder = path.dirname(file);
      const name = path.basename(file);
      const sources = readAssembly(folder, name);
      return {
        contents: await compileWebAssembly(name, sources),
        loader: 'binary',
        watchFiles: [...sources.keys()].map(source => path.join(folder, source)),
      };
    });
  },
};

/** Defines `require`, with which undici (CommonJS) loads modules of Node. */
const requireBanner = "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/**
 * Options for everything that runs in Node, tests included.
 * @type {import('esbuild').BuildOptions}
 */
export const nodeOptions = {
  ...common,
  plugins: [webAssembly],
  platform: 'node',
  target: 'node20.19',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  // The build as ES modules, which can be tree-shaken.
  alias: { yaml: path.join(root, 'node_modules/yaml/browser/dist/index.js') },
  banner: { js: requireBanner },
};

/** Separate programs: the threads, the MCP bridge, and the emulator's command line. */
export const threadEntryPoints = {
  mcpBridge: 'src/features/assistant/mcp/mcpBridge.ts',
  jsonlThread: 'src/jsonl/jobs/worker.ts',
  emulatorThread: 'src/emulator/thread.ts',
  emulatorCli: 'src/emulator/cli.ts',
};

/**
 * Built as ES modules, then joined into CommonJS files, because some editors load only CommonJS extensions (Theia before 1.72, and forks of
 * VS Code before 1.100 that report a newer version).
 */
const extension = { ...nodeOptions, banner: {}, entryPoints: { extension: 'src/extension.ts' } };
/** The extension as one CommonJS file, for `--watch`. */
const watchedExtension = { ...extension, format: 'cjs', splitting: false, chunkNames: undefined, outExtension: { '.js': '.cjs' } };
// Built apart from the extension, so that no shared chunk needs VS Code.
const threads = {
  ...nodeOptions,
  entryPoints: threadEntryPoints,
  chunkNames: 'chunks/thread-[name]-[hash]',
};

const webviews = existsSync('src/webview')
  ? readdirSync('src/webview', { withFileTypes: true })
      .filter(entry => entry.isDirectory() && existsSync(`src/webview/${entry.name}/index.tsx`))
      .map(entry => [`webview/${entry.name}`, `src/webview/${entry.name}/index.tsx`])
  : [];
/** Options for everything that runs in a webview. Shared code ships once; modules inherit the nonce of the page's script. */
export const browserOptions = {
  ...common,
  entryPoints: Object.fromEntries(webviews),
  platform: 'browser',
  target: 'chrome138',
  splitting: true,
  chunkNames: 'webview/chunks/[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** Rules for joining the chunks that run in Node. Code loaded right after the start is a room of its own. */
const joinings = {
  extension: {
    format: 'cjs',
    prefix: '',
    rooms: {
      'src/features/batches/batchesView': 'watching',
      'src/features/ledger/': 'watching',
      'src/features/emulator/': 'connection',
      'src/jsonl/': 'requests',
    },
    apart: ['zod', 'undici', 'yaml'],
  },
  threads: { format: 'esm', prefix: 'thread-', rooms: { 'src/jsonl/': 'jobs' }, apart: ['zod', 'yaml'] },
};

const configurations = [
  { configuration: extension, joining: joinings.extension },
  { configuration: threads, joining: joinings.threads },
  ...(webviews.length > 0 ? [{ configuration: browserOptions }] : []),
];

/** Options of a production build: minified, without source maps. */
const shipping = { minify: true, sourcemap: false };

/** Returns short chunk names: an archive stores each name twice. */
function shortNames({ chunkNames }) {
  return chunkNames === undefined ? {} : { chunkNames: chunkNames.replace('[name]-', '') };
}

/**
 * Builds everything once. Settles with the `outputs` of a metafile. `overrides` are esbuild options such as `outdir`.
 * @param {import('esbuild').BuildOptions} overrides
 * @param {boolean} isProduction
 */
export async function buildExtension(overrides = {}, isProduction = production) {
  const results = await Promise.all(
    configurations.map(async ({ configuration: { entryPoints, ...configuration }, joining }) => {
      const { emulatorCli, ...shipped } = entryPoints;
      const options = {
        ...configuration,
        ...(isProduction ? { ...shipping, ...shortNames(configuration), entryPoints: shipped } : { entryPoints }),
        ...overrides,
        metafile: true,
      };
      const result = await build(options);
      if (joining !== undefined) {
        await joinChunks({ absWorkingDir: root, ...options }, result.metafile, joining);
      }
      return result;
    }),
  );
  return { outputs: Object.assign({}, ...results.map(({ metafile }) => metafile.outputs)) };
}

async function main() {
  rmSync('dist', { recursive: true, force: true });
  if (flags.has('--watch')) {
    const watched = configurations.map(({ configuration }) => (configuration === extension ? watchedExtension : configuration));
    const contexts = await Promise.all(watched.map(options => context(options)));
    // Everything is built before the first "build finished", which the debugger waits for.
    await Promise.all(contexts.map(one => one.rebuild()));
    await Promise.all(contexts.map(one => one.watch()));
  } else {
    await buildExtension();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main();
}
