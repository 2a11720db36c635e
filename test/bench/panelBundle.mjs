// The session panel's browser bundle, as it ships, in memory.
import path from 'node:path';
import { build } from 'esbuild';
import { browserOptions } from '../../esbuild.mjs';

/**
 * Builds the bundle of a webview. Runs in the project's root. `chunks` are all scripts that the bundle can load, by path.
 * @param {string} name
 * @param {boolean} [isMinified]
 * @returns {Promise<{ script: string, style: string, chunks: ReadonlyMap<string, string> }>}
 */
export async function buildBundle(name, isMinified = false) {
  const { outputFiles } = await build({
    ...browserOptions,
    entryPoints: { [name]: `src/webview/${name}/index.tsx` },
    outdir: 'out',
    write: false,
    sourcemap: false,
    minify: isMinified,
    logLevel: 'warning',
  });
  const texts = new Map(outputFiles.map(file => [path.relative('out', file.path).replaceAll(path.sep, '/'), file.text]));
  const [script = '', style = ''] = [texts.get(`${name}.js`), texts.get(`${name}.css`)];
  return { script, style, chunks: new Map([...texts].filter(([place]) => place.includes('/'))) };
}
