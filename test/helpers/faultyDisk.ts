import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Calls of `node:fs/promises` whose first argument is a path, and `renameSync` of `node:fs`. */
export type DiskCall =
  | 'link'
  | 'lstat'
  | 'mkdir'
  | 'open'
  | 'readFile'
  | 'readdir'
  | 'realpath'
  | 'rename'
  | 'renameSync'
  | 'rm'
  | 'stat'
  | 'writeFile';

type AnyCall = (...args: unknown[]) => unknown;

/** Runs `action` while a disk call fails with `code` for paths that end in `pathEnd`. Only the first `times` calls fail. */
export async function withFaultyDisk<T>(
  name: DiskCall,
  code: string,
  pathEnd: string,
  action: () => Promise<T>,
  times = Number.POSITIVE_INFINITY,
): Promise<T> {
  const isSync = name === 'renameSync';
  const calls = (isSync ? fs : fs.promises) as unknown as Record<DiskCall, AnyCall>;
  const original = calls[name];
  let failed = 0;
  const call: AnyCall = (...args) => {
    if (String(args[0]).endsWith(pathEnd) && failed < times) {
      failed++;
      throw Object.assign(new Error(`${code}: on purpose, ${name} '${args[0]}'`), { code });
    }
    return original.apply(isSync ? fs : fs.promises, args);
  };
  calls[name] = isSync ? call : async (...args) => await call(...args);
  syncBuiltinESMExports();
  try {
    return await action();
  } finally {
    calls[name] = original;
    syncBuiltinESMExports();
  }
}
