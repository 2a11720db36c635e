import { type BigIntStats, closeSync, fstatSync, openSync } from 'node:fs';

/** What changes whenever somebody writes to a file or puts another in its place; the change time cannot be set by anybody. */
export type FileState = Readonly<Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>>;

/** The state of an open file. */
export function fileStateOf(file: number): FileState {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
  return { dev, ino, size, mtimeNs, ctimeNs };
}

/** The state of the file that stands at a path now. Throws what the system says. */
export function fileStateAt(path: string): FileState {
  const file = openSync(path, 'r');
  try {
    return fileStateOf(file);
  } finally {
    closeSync(file);
  }
}

export function isSameState(one: FileState, other: FileState): boolean {
  return (
    one.dev === other.dev &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  );
}

/** Thrown if a file is no longer the one that was checked. */
export class SourceChangedError extends Error {
  override readonly name = 'SourceChangedError';
}
