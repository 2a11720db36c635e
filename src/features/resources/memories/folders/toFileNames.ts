import { isToolFolder } from '../../../../common/files/isInToolFolder';
import { toFileStem } from '../../../../common/text/fileStem';
import type { Translate } from '../../../../common/text/translate';

/** Where memories go in a folder of this machine, and why some cannot. */
export interface FileNames {
  /** Paths of files below the folder, `/` between their parts, by the paths of the memories. */
  readonly files: ReadonlyMap<string, string>;
  /** Sentences by the paths of the memories. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Paths of memories as paths of files: the same, so that the folder can be written back. What leads elsewhere, means something to a system
 * or to tools, differs from another only in case, or stands in the way of another, is refused.
 */
export function toFileNames(paths: readonly string[], translate: Translate): FileNames {
  const files = new Map<string, string>();
  const refused = new Map<string, string>();
  const taken = new Map<string, 'file' | 'folder'>();
  for (const path of paths) {
    const parts = path.split('/').slice(1);
    const lower = parts.map((_, at) =>
      parts
        .slice(0, at + 1)
        .join('/')
        .toLowerCase(),
    );
    const own = lower.at(-1) ?? '';
    const above = lower.slice(0, -1);
    if (!path.startsWith('/') || parts.some(part => !isPlainName(part))) {
      refused.set(path, translate('no name for a file on every system'));
    } else if (parts.some(isToolFolder)) {
      refused.set(path, translate('tools obey what is in .git and .vscode'));
    } else if (taken.has(own) || above.some(folder => taken.get(folder) === 'file')) {
      refused.set(path, translate('stands in the way of another, or differs from it only in case'));
    } else {
      taken.set(own, 'file');
      for (const folder of above) {
        taken.set(folder, 'folder');
      }
      files.set(path, parts.join('/'));
    }
  }
  return { files, refused };
}

/** Whether a name means the same on every system: what `toFileStem` leaves as it is, behind one dot at its begin. */
function isPlainName(name: string): boolean {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  return plain !== '' && plain === toFileStem(plain);
}
