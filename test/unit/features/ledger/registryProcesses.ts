import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** Returns functions to run `registryChild.ts` in processes. The processes are killed after the suite. */
export function useRegistryProcesses() {
  const children = new Set<ChildProcess>();
  let folder = '';
  const script = () => path.join(folder, 'child.mjs');
  const processes = {
    start(...args: readonly (string | number)[]): ChildProcess {
      const child = fork(script(), args.map(String), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      children.add(child);
      return child;
    },
    kill(): void {
      for (const child of children) {
        child.kill('SIGKILL');
      }
      children.clear();
    },
  };
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'registry-child-'));
    const entry = path.join('test', 'unit', 'features', 'ledger', 'registryChild.ts');
    await build({ entryPoints: [entry], outfile: script(), bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  });
  after(() => {
    processes.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return processes;
}
