import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { setContextKey } from '../../../common/contextKeys';
import { combine } from '../../../common/disposables';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import type { ContextKeys } from '../../../contributions';
import { reviewCount } from '../../../jsonl/results/resultsReport';
import { resultsOfSource, type SubmissionRegistry } from '../../ledger';
import type { RequestDocuments } from '../documents/requestDocuments';
import { firstLines, mayBeRequestFile, readFirstLines } from '../documents/requestFile';
import { type FileKind, FileKinds, isRowsFile } from './fileKinds';

type FilesKey = { [K in keyof ContextKeys]: ContextKeys[K] extends readonly string[] ? K : never }[keyof ContextKeys];

const keys = {
  requests: 'managedAgents.requestFiles',
  results: 'managedAgents.resultFiles',
  otherForm: 'managedAgents.otherFormFiles',
  rows: 'managedAgents.rowFiles',
  empty: 'managedAgents.emptyFiles',
} as const satisfies Readonly<Record<FileKind, FilesKey>>;

const watchedFiles = '**/*.{jsonl,ndjson,JSONL,NDJSON,csv,tsv,batch-template.json}';

/** Maximum number of workspace files to read, and of bytes per file. The first line is enough to detect the kind. */
const maxFiles = 2000;
const headBytes = 64 * 1024;

/**
 * Maintains the context keys that list the files of the workspace and the open documents for each possible action. Reads other JSON
 * documents when they are opened.
 */
export function watchFileKinds(
  documents: Pick<RequestDocuments, 'onDidOpen' | 'onDidClose'>,
  registry: Pick<SubmissionRegistry, 'all' | 'onDidChange'>,
  log: Log,
): vscode.Disposable {
  const listed = new Set<FilesKey>();
  const list = (key: FilesKey, paths: readonly string[]) => {
    // An empty list counts as true in `when` clauses.
    if (paths.length > 0 || listed.has(key)) {
      listed.add(key);
      setContextKey(key, paths);
    }
  };
  const kinds = new FileKinds(readHead, (kind, paths) => list(keys[kind], paths));
  const watcher = vscode.workspace.createFileSystemWatcher(watchedFiles);
  const find = (...uris: readonly vscode.Uri[]) => void kinds.find(...uris.map(pathOf));
  // This folder has the results of earlier runs.
  const findFile = (uri: vscode.Uri) => uri.path.includes('/.managed-agents/') || find(uri);
  const findDocument = (document: vscode.TextDocument) => {
    const { uri, languageId } = document;
    if (mayBeRequestFile(uri) || (uri.scheme === 'file' && (languageId.startsWith('json') || isRowsFile(uri.path)))) {
      find(uri);
    }
  };
  const findTab = () => {
    const uri = activeUri();
    if (uri?.scheme === 'file' && mayBeRequestFile(uri)) {
      find(uri);
    }
  };
  const scan = async () => find(...(await vscode.workspace.findFiles(watchedFiles, '**/{node_modules,.git,.managed-agents}/**', maxFiles)));
  const scanNow = () => scan().catch(error => log.warn(`The request files of the workspace could not be listed: ${describeError(error)}`));
  const listAnswered = () => {
    const answered = answeredFiles(registry);
    list('managedAgents.answeredFiles', [...answered.keys()]);
    list(
      'managedAgents.unfinishedFiles',
      [...answered].flatMap(([path, unfinished]) => (unfinished ? [path] : [])),
    );
  };
  void scanNow();
  listAnswered();
  findTab();
  vscode.workspace.textDocuments.forEach(findDocument);
  return combine(
    kinds,
    watcher,
    watcher.onDidCreate(findFile),
    watcher.onDidChange(findFile),
    watcher.onDidDelete(uri => find(uri)),
    vscode.workspace.onDidOpenTextDocument(findDocument),
    vscode.workspace.onDidCloseTextDocument(findDocument),
    // A file of more than 50 MB has a tab, but no document.
    vscode.window.tabGroups.onDidChangeTabs(findTab),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void scanNow()),
    documents.onDidOpen(({ document }) => find(document.uri)),
    documents.onDidClose(({ document }) => find(document.uri)),
    registry.onDidChange(listAnswered),
  );
}

/** Returns the paths of files with fetched results. The value is true if some requests have no good result. */
function answeredFiles(registry: Pick<SubmissionRegistry, 'all'>): ReadonlyMap<string, boolean> {
  const submissions = registry.all();
  const sources = new Set(submissions.map(({ source }) => source));
  return new Map(
    [...sources].flatMap(source => {
      const report = resultsOfSource(submissions, source)?.results.report;
      return report === undefined ? [] : [[pathOf(vscode.Uri.parse(source)), reviewCount(report) > 0] as const];
    }),
  );
}

/** Returns the path of a file in the form of `resourcePath` in `when` clauses. */
function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}

/** Reads the first lines of a file from its editor, or else from disk. */
async function readHead(path: string): Promise<readonly string[]> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && (uri.scheme === 'file' || uri.scheme === 'untitled') && pathOf(uri) === path,
  );
  return open === undefined ? await readFirstLines(path, headBytes) : [...firstLines(open)];
}
