// Builds dist/: the extension and its lazily loaded parts (ES modules that share chunks), the threads, the emulator's
// command line, and one browser bundle per webview.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

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

/**
 * How everything that runs in Node is built; the tests are built the same way.
 * @type {import('esbuild').BuildOptions}
 */
export const nodeOptions = {
  ...common,
  plugins: [webAssembly],
  entryPoints: {
    extension: 'src/extension.ts',
    jsonlThread: 'src/jsonl/worker.ts',
    emulatorThread: 'src/emulator/thread.ts',
    emulatorCli: 'src/emulator/cli.ts',
  },
  platform: 'node',
  target: 'node20.19',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
  // undici is CommonJS and asks for Node's own modules with require.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
};

const webviews = existsSync('src/webview')
  ? readdirSync('src/webview', { withFileTypes: true })
      .filter(entry => entry.isDirectory() && existsSync(`src/webview/${entry.name}/main.ts`))
      .map(entry => [`webview/${entry.name}`, `src/webview/${entry.name}/main.ts`])
  : [];
const browser = { ...common, entryPoints: Object.fromEntries(webviews), platform: 'browser', target: 'chrome138' };

const configurations = webviews.length > 0 ? [nodeOptions, browser] : [nodeOptions];

/** What production changes: nothing but what ships, as small as it gets. */
const shipping = { minify: true, sourcemap: false };

/**
 * Builds the extension once; `overrides` are esbuild options, `outdir` among them.
 * @param {import('esbuild').BuildOptions} overrides
 * @param {boolean} isProduction
 */
export async function buildExtension(overrides = {}, isProduction = production) {
  return await Promise.all(
    configurations.map(({ entryPoints, ...configuration }) => {
      const { emulatorCli, ...shipped } = entryPoints;
      return build({
        ...configuration,
        ...(isProduction ? { ...shipping, entryPoints: shipped } : { entryPoints }),
        ...overrides,
      });
    }),
  );
}

async function main() {
  rmSync('dist', { recursive: true, force: true });
  if (flags.has('--watch')) {
    await Promise.all(configurations.map(async configuration => (await context(configuration)).watch()));
  } else {
    await buildExtension();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main();
}
