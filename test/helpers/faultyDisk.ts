import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Calls of `node:fs/promises` that take a path first, and one of `node:fs`. */
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

/** Makes a disk call fail with an error code for paths with this ending, the first `times`, while `action` runs. */
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
