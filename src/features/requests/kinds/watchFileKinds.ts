import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { setContextKey } from '../../../common/contextKeys';
import { combine } from '../../../common/disposables';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import type { FileKind } from '../../../jsonl/scanning/fileKind';
import type { RequestDocuments } from '../documents/requestDocuments';
import { firstLines, mayBeRequestFile, readFirstLines } from '../documents/requestFile';
import { FileKinds } from './fileKinds';

const keys = {
  requests: 'managedAgents.requestFiles',
  results: 'managedAgents.resultFiles',
  otherForm: 'managedAgents.otherFormFiles',
  rows: 'managedAgents.rowFiles',
} as const satisfies Readonly<Record<FileKind, string>>;

const ofFiles = '**/*.{jsonl,ndjson,JSONL,NDJSON}';

/** Files of a workspace that are looked at, and how much of each: its first line tells what it is. */
const mostFiles = 2000;
const headBytes = 64 * 1024;

/**
 * Keeps context keys that say which files of the workspace, and which open documents, hold what, so that menus offer for a file only what
 * can be done with it. JSON documents can be anything, and are looked at when they are opened.
 */
export function watchFileKinds(documents: Pick<RequestDocuments, 'onDidOpen' | 'onDidClose'>, log: Log): vscode.Disposable {
  const kinds = new FileKinds(readHead, (kind, paths) => setContextKey(keys[kind], paths));
  const watcher = vscode.workspace.createFileSystemWatcher(ofFiles);
  const look = (...uris: readonly vscode.Uri[]) => void kinds.look(...uris.map(pathOf));
  const lookAtDocument = (document: vscode.TextDocument) => {
    if (mayBeRequestFile(document.uri) || (document.uri.scheme === 'file' && document.languageId.startsWith('json'))) {
      look(document.uri);
    }
  };
  const lookAtTab = () => {
    const uri = activeUri();
    if (uri?.scheme === 'file' && mayBeRequestFile(uri)) {
      look(uri);
    }
  };
  const scan = async () => look(...(await vscode.workspace.findFiles(ofFiles, '**/{node_modules,.git}/**', mostFiles)));
  const scanNow = () => scan().catch(error => log.warn(`The request files of the workspace could not be listed: ${describeError(error)}`));
  void scanNow();
  lookAtTab();
  vscode.workspace.textDocuments.forEach(lookAtDocument);
  return combine(
    kinds,
    watcher,
    watcher.onDidCreate(uri => look(uri)),
    watcher.onDidChange(uri => look(uri)),
    watcher.onDidDelete(uri => look(uri)),
    vscode.workspace.onDidOpenTextDocument(lookAtDocument),
    vscode.workspace.onDidCloseTextDocument(lookAtDocument),
    // A file of more than 50 MB has a tab, but no document.
    vscode.window.tabGroups.onDidChangeTabs(lookAtTab),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void scanNow()),
    documents.onDidOpen(({ document }) => look(document.uri)),
    documents.onDidClose(({ document }) => look(document.uri)),
  );
}

/** As `resourcePath` of `when` clauses has it. */
function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}

/** As a file stands in its editor, or else on disk. */
async function readHead(path: string): Promise<readonly string[]> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && (uri.scheme === 'file' || uri.scheme === 'untitled') && pathOf(uri) === path,
  );
  return open === undefined ? await readFirstLines(path, headBytes) : [...firstLines(open)];
}
