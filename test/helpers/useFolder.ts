import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates a new folder for each test of a suite. Returns a function that returns the path of the folder, or of a file in it. */
export function useFolder(): (...names: readonly string[]) => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (...names) => path.join(folder, ...names);
}
