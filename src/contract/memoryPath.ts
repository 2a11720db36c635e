/** Bytes of UTF-8 that a memory holds at most (API facts, section 15). */
export const mostMemoryBytes = 102_400;

const mostPathBytes = 1024;

/** What is wrong with the path of a memory. */
export type MemoryPathProblem = 'start' | 'empty' | 'long' | 'segments' | 'characters' | 'form';

/**
 * What is wrong with the path of a memory, undefined for nothing: it begins with `/` and names something, is NFC, has at most 1,024 bytes,
 * no segment that is empty, `.` or `..`, and neither control characters nor line separators (API facts, section 15).
 */
export function memoryPathProblem(path: string): MemoryPathProblem | undefined {
  if (!path.startsWith('/')) {
    return 'start';
  }
  if (path.length < 2) {
    return 'empty';
  }
  if (new TextEncoder().encode(path).length > mostPathBytes) {
    return 'long';
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(path)) {
    return 'characters';
  }
  if (
    path
      .slice(1)
      .split('/')
      .some(segment => segment === '' || segment === '.' || segment === '..')
  ) {
    return 'segments';
  }
  return path === path.normalize('NFC') ? undefined : 'form';
}
