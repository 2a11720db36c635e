import * as vscode from 'vscode';
import type { FoundFile } from '../../../shared/session/composing';
import { toLabel } from '../../../shared/text';
import { rankPaths, toNameGlob } from './rankPaths';

/** Files that are listed at first, that are looked for by name when there are more, and that are offered. */
const mostListed = 5000;
const mostNamed = 500;
const mostOffered = 20;

/** VS Code leaves out what the setting `files.exclude` names besides. */
const excluded = '**/{node_modules,.git}/**';

interface Listed {
  readonly path: string;
  readonly uri: vscode.Uri;
}

/** The files of the workspace that can be attached, by ids of this window. */
export class WorkspaceFiles {
  private readonly ids = new Map<string, string>();
  private readonly uris = new Map<string, vscode.Uri>();
  private listing: Promise<readonly Listed[]> | undefined;
  private search: vscode.CancellationTokenSource | undefined;

  /** Files for what was typed, best first; '' lists anew. */
  async find(query: string): Promise<readonly FoundFile[]> {
    this.search?.cancel();
    const search = new vscode.CancellationTokenSource();
    this.search = search;
    if (query === '' || this.listing === undefined) {
      this.listing = list('**/*', mostListed);
      this.listing.catch(() => {
        this.listing = undefined;
      });
    }
    let found = await this.listing;
    const word = query.slice(query.lastIndexOf('/') + 1);
    if (found.length >= mostListed && word !== '') {
      found = [...found, ...(await list(toNameGlob(word), mostNamed, search.token))];
    }
    const known = new Map(found.map(file => [file.uri.toString(), file]));
    return rankPaths([...known.values()], query, mostOffered).map(file => this.toFound(file));
  }

  /** An id for a file that was attached before the window was reloaded; undefined where it is in no folder of the workspace. */
  adopt(uri: vscode.Uri): string | undefined {
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) {
      return undefined;
    }
    return this.toFound({ path: vscode.workspace.asRelativePath(uri), uri }).id;
  }

  /** The file of an id that was offered; undefined for any other. */
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
