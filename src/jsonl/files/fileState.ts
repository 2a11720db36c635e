import { type BigIntStats, closeSync, fstatSync, openSync } from 'node:fs';

const fields = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

/** Metadata that changes with every write to a file and when it is replaced. Programs can't set the change time. */
export type FileState = Readonly<Pick<BigIntStats, (typeof fields)[number]>>;

export function fileStateOf(file: number): FileState {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
  return { dev, ino, size, mtimeNs, ctimeNs };
}

/** Returns the current state of the file at a path. Throws the system's error. */
export function fileStateAt(path: string): FileState {
  const file = openSync(path, 'r');
  try {
    return fileStateOf(file);
  } finally {
    closeSync(file);
  }
}

export function isSameState(one: FileState, other: FileState): boolean {
  return fields.every(field => one[field] === other[field]);
}

/** Thrown if a file was changed or replaced after it was checked. */
export class SourceChangedError extends Error {
  override readonly name = 'SourceChangedError';
}

/** Throws a `SourceChangedError` if the state of a file has changed. */
export function demandState(path: string, state: FileState, now = fileStateAt(path)): void {
  if (!isSameState(state, now)) {
    throw new SourceChangedError(`${path} changed while it was being read. Nothing was written. Try again.`);
  }
}
