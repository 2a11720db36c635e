// The session panel's browser bundle, as it ships, in memory.
import { build } from 'esbuild';
import { browserOptions } from '../../esbuild.mjs';

/**
 * Builds the bundle of a webview; run from the project's root.
 * @param {string} name
 * @param {boolean} [isMinified]
 * @returns {Promise<{ script: string, style: string }>}
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
  const textOf = (/** @type {string} */ ending) => outputFiles.find(file => file.path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}
