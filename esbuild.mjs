// Builds dist/: the extension and its lazily loaded parts (ES modules that share chunks), the threads, the emulator's
// command line, and one browser bundle per webview.
import { existsSync, readdirSync, rmSync } from 'node:fs';
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

/**
 * How everything that runs in Node is built; the tests are built the same way.
 * @type {import('esbuild').BuildOptions}
 */
export const nodeOptions = {
  ...common,
  plugins: [],
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
