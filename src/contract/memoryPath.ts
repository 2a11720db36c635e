/** Maximum size of a memory in bytes of UTF-8 (API facts, section 15). */
export const maxMemoryBytes = 102_400;

const maxPathBytes = 1024;

export type MemoryPathProblem = 'start' | 'empty' | 'long' | 'segments' | 'characters' | 'form';

/**
 * Returns the problem with the path of a memory, or `undefined` for a valid path. A valid path is `/` and at least one segment, in NFC and
 * with at most 1,024 bytes. No segment is empty, `.` or `..`, or contains control characters or line separators (API facts, section 15).
 */
export function memoryPathProblem(path: string): MemoryPathProblem | undefined {
  if (!path.startsWith('/')) {
    return 'start';
  }
  if (path.length < 2) {
    return 'empty';
  }
  if (new TextEncoder().encode(path).length > maxPathBytes) {
    return 'long';
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(path)) {
    return 'characters';
  }
  if (/\/\.{0,2}(?:\/|$)/.test(path)) {
    return 'segments';
  }
  return path === path.normalize('NFC') ? undefined : 'form';
}

/** Returns the parent folder of a path. The parent of `/` is `/`. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
