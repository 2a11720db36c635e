import { isToolFolder } from '../../../../common/files/isInToolFolder';
import { toFileStem } from '../../../../common/text/fileStem';
import type { Translate } from '../../../../common/text/translate';

/** Local file names for memories, and the reasons why some have none. */
export interface FileNames {
  /** Paths relative to the folder, with `/` as separator, by memory path. */
  readonly files: ReadonlyMap<string, string>;
  /** Reasons as sentences, by memory path. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Maps memory paths to equal file paths, so that the folder can be written back. Refuses a path that leaves the folder, has a special
 * meaning to a system or a tool, differs from another one only in case, or conflicts with another one.
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
      refused.set(path, translate('invalid file name'));
    } else if (parts.some(isToolFolder)) {
      refused.set(path, translate('in .git or .vscode'));
    } else if (taken.has(own) || above.some(folder => taken.get(folder) === 'file')) {
      refused.set(path, translate('conflicts with another file'));
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

/** Returns whether a name means the same on every system: `toFileStem` leaves it unchanged, apart from one leading dot. */
function isPlainName(name: string): boolean {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  return plain !== '' && plain === toFileStem(plain);
}
