import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** A source file built as in the shipped extension, so that a test can run it in a thread or process. */
export interface BuiltEntry {
  readonly file: string;
  remove(): Promise<void>;
}

export async function buildEntry(source: string): Promise<BuiltEntry> {
  const folder = await mkdtemp(path.join(tmpdir(), 'managed-agents-entry-'));
  const file = path.join(folder, 'entry.mjs');
  await build({
    entryPoints: [source],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
  return { file, remove: () => rm(folder, { recursive: true }) };
}
