// Writes the JSON Schemas of requests into media/schemas, from the schemas of the client: npm run schemas
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { nodeOptions } from '../../esbuild.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const outfile = path.join(root, 'out', `schemas-${process.pid}.mjs`);
try {
  await build({
    ...nodeOptions,
    entryPoints: [path.join(root, 'test/schemas/requestSchema.ts')],
    outdir: undefined,
    outfile,
    splitting: false,
    packages: 'external',
    sourcemap: false,
    logLevel: 'warning',
  });
  const { requestSchemaFiles } = await import(pathToFileURL(outfile).href);
  for (const [file, text] of requestSchemaFiles()) {
    writeFileSync(path.join(root, file), text);
    console.log(`${file}: ${text.length} characters`);
  }
} finally {
  rmSync(outfile, { force: true });
}
