import * as vscode from 'vscode';
import type { FoundFile } from '../../../shared/session/composing';
import { toLabel } from '../../../shared/text';

/** Maximum numbers of files that are listed, that are found by name if the list is cut, and that are returned. */
const maxListed = 5000;
const maxNamed = 500;
const maxOffered = 20;

/** Excluded files, in addition to the files of the setting `files.exclude`. */
const excluded = '**/{node_modules,.git}/**';

interface Listed {
  readonly path: string;
  readonly uri: vscode.Uri;
}

/** Workspace files that can be attached, by IDs that are only valid in this window. */
export class WorkspaceFiles {
  private readonly ids = new Map<string, string>();
  private readonly uris = new Map<string, vscode.Uri>();
  private listing: Promise<readonly Listed[]> | undefined;
  private search: vscode.CancellationTokenSource | undefined;

  /** Finds the files that match a query, best first. An empty query refreshes the list. */
  async find(query: string): Promise<readonly FoundFile[]> {
    this.search?.cancel();
    const search = new vscode.CancellationTokenSource();
    this.search = search;
    if (query === '' || this.listing === undefined) {
      this.listing = list('**/*', maxListed);
      this.listing.catch(() => {
        this.listing = undefined;
      });
    }
    let found = await this.listing;
    const word = query.slice(query.lastIndexOf('/') + 1);
    if (found.length >= maxListed && word !== '') {
      found = [...found, ...(await list(toNameGlob(word), maxNamed, search.token))];
    }
    const known = new Map(found.map(file => [file.uri.toString(), file]));
    return rankPaths([...known.values()], query, maxOffered).map(file => this.toFound(file));
  }

  /** Returns an ID for a file that was attached before the window was reloaded. `undefined` if the file is outside the workspace. */
  adopt(uri: vscode.Uri): string | undefined {
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) {
      return undefined;
    }
    return this.toFound({ path: vscode.workspace.asRelativePath(uri), uri }).id;
  }

  uriOf(id: string): vscode.Uri | undefined {
    return this.uris.get(id);
  }

  dispose(): void {
    this.search?.cancel();
  }

  private toFound({ path, uri }: Listed): FoundFile {
    const key = uri.toString();
    const id = this.ids.get(key) ?? `file-${this.ids.size + 1}`;
    this.ids.set(key, id);
    this.uris.set(id, uri);
    const at = path.lastIndexOf('/');
    return { id, name: toLabel(path.slice(at + 1), 120), folder: toLabel(path.slice(0, Math.max(0, at)), 200) };
  }
}

async function list(glob: string, most: number, token?: vscode.CancellationToken): Promise<readonly Listed[]> {
  const uris = await vscode.workspace.findFiles(glob, excluded, most, token);
  return uris.map(uri => ({ path: vscode.workspace.asRelativePath(uri), uri }));
}

/**
 * Returns at most `most` paths that match a query, best first. The words of the query, separated by `/`, must occur in the path in this
 * order, ignoring case. Names that start with the last word come first. Shorter paths come before longer paths.
 */
export function rankPaths<T extends { readonly path: string }>(found: readonly T[], query: string, most: number): readonly T[] {
  const words = query
    .toLowerCase()
    .split('/')
    .filter(word => word !== '');
  const ranked = found.flatMap(item => {
    const rank = rankOf(item.path.toLowerCase(), words);
    return rank === undefined ? [] : [{ item, rank }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.item.path.length - b.item.path.length || (a.item.path < b.item.path ? -1 : 1));
  return ranked.slice(0, most).map(({ item }) => item);
}

/**
 * Returns 0 if the file name starts with the last word, 1 if the name contains it, and 2 if only the folder contains it. Otherwise returns
 * `undefined`.
 */
function rankOf(path: string, words: readonly string[]): number | undefined {
  const last = words.at(-1);
  if (last === undefined) {
    return 0;
  }
  let from = 0;
  for (const word of words) {
    const at = path.indexOf(word, from);
    if (at === -1) {
      return undefined;
    }
    from = at + word.length;
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.startsWith(last) ? 0 : name.includes(last) ? 1 : 2;
}

/** Returns a case-insensitive glob for files whose name contains a word. */
export function toNameGlob(word: string): string {
  const characters = [...word].map(character => {
    const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
    return lower !== upper && lower.length === 1 && upper.length === 1
      ? `[${lower}${upper}]`
      : /[[\]{}*?!,\\/]/.test(character)
        ? '?'
        : character;
  });
  return `**/*${characters.join('')}*`;
}
