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

/** The sources that a file of AssemblyScript is compiled from, by name: its own and those of all it imports from beside it. */
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

/** Compiles AssemblyScript to WebAssembly; what was compiled before is kept beside the installed packages, by its content. */
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
    // Whatever is not part of the key cannot be part of the module.
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

/** An import of `x.wasm` gives the bytes of `x.ts` beside it, compiled to WebAssembly. */
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

/** undici is CommonJS and asks for Node's own modules with require. */
const requireBanner = "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/**
 * How everything that runs in Node is built; the tests are built the same way.
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
  // As ES modules, of which only what is asked for comes along.
  alias: { yaml: path.join(root, 'node_modules/yaml/browser/dist/index.js') },
  banner: { js: requireBanner },
};

/** Programs of their own beside the extension: its threads, the MCP bridge, and the emulator's command line. */
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
// Apart from the extension: what they share with it must not lead to a module that needs VS Code.
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
/** How everything that runs in a webview is built. What webviews share ships once; modules inherit the nonce of the page's script. */
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

/** How chunks of what runs in Node are joined. What is loaded right after the start is a room of its own. */
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

/** What production changes: nothing but what ships, as small as it gets. */
const shipping = { minify: true, sourcemap: false };

/** Names of chunks that cost little in an archive, where each stands twice. */
function shortNames({ chunkNames }) {
  return chunkNames === undefined ? {} : { chunkNames: chunkNames.replace('[name]-', '') };
}

/**
 * Builds everything once and settles with what was written, as a metafile's `outputs`; `overrides` are esbuild options,
 * `outdir` among them.
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
    // Whoever waits for the first "build finished" finds everything built.
    await Promise.all(contexts.map(one => one.rebuild()));
    await Promise.all(contexts.map(one => one.watch()));
  } else {
    await buildExtension();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main();
}
