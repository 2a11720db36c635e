// Writes the JSON Schemas of requests into media/schemas, the derived parts of package.json, and the generated pages of docs. Run it with:
// npm run schemas
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { nodeOptions } from '../../esbuild.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Builds and loads a module of this folder. */
async function load(name) {
  const outfile = path.join(root, 'out', `${name}-${process.pid}.mjs`);
  try {
    await build({
      ...nodeOptions,
      entryPoints: [path.join(root, `test/schemas/${name}.ts`)],
      outdir: undefined,
      outfile,
      splitting: false,
      packages: 'external',
      sourcemap: false,
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}

function write(file, text) {
  writeFileSync(path.join(root, file), text);
  console.log(`${file}: ${text.length} characters`);
}

const { requestSchemaFiles } = await load('requestSchema');
for (const [file, text] of requestSchemaFiles()) {
  write(file, text);
}
const { manifestText } = await load('manifestText');
write('package.json', manifestText(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))));
const { docFiles } = await load('docTables');
for (const [file, text] of docFiles()) {
  write(file, text);
}
