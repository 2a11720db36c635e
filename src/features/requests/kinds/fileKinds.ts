import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { setContextKey } from '../../../common/contextKeys';
import { combine } from '../../../common/disposables';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import type { ContextKeys } from '../../../contributions';
import { reviewCount } from '../../../jsonl/results/resultsReport';
import { type FileKind as ContentKind, fileKindOf } from '../../../jsonl/scanning/fileKind';
import { resultsOfSource, type SubmissionRegistry } from '../../ledger';
import type { RequestDocuments } from '../documents/requestDocuments';
import { firstLines, mayBeRequestFile, readFirstLines } from '../documents/requestFile';

/** Kind of a file. `empty`: a JSON Lines file without text. */
export type FileKind = ContentKind | 'empty';

/** Returns the kind of a file from its first lines, or `undefined` if the file has none of the kinds. */
export function kindOfLines(lines: readonly string[]): FileKind | undefined {
  return lines.every(line => line.replace('\ufeff', '').trim() === '') ? 'empty' : fileKindOf(lines);
}

/** Returns whether a path has the name of a file of rows or of a template. */
function isRowsFile(path: string): boolean {
  return /\.(?:csv|tsv|batch-template\.json)$/i.test(path);
}

/** Number of files after which partial results are reported. */
const reportedAfter = 200;

/** Detects the kinds of files one after the other, and reports them. An unreadable file has no kind. */
export class FileKinds {
  private readonly kinds = new Map<string, FileKind>();
  private readonly reported = new Map<FileKind, string>();
  private readonly waiting = new Set<string>();
  private finding: Promise<void> | undefined;
  private isDisposed = false;

  constructor(
    private readonly read: (path: string) => Promise<readonly string[]>,
    /** Called with the sorted paths of a kind whenever they change. */
    private readonly report: (kind: FileKind, paths: readonly string[]) => void,
  ) {}

  /** Reads files, even if their kind is known. Settles when all requested files have been read. */
  async find(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      this.waiting.add(path);
    }
    this.finding ??= this.findAll();
    await this.finding;
  }

  dispose(): void {
    this.isDisposed = true;
    this.waiting.clear();
  }

  private async findAll(): Promise<void> {
    // Waits for paths that are added in the same turn.
    await Promise.resolve();
    let count = 0;
    // The loop includes paths that are added, or added again, while it runs.
    for (const path of this.waiting) {
      this.waiting.delete(path);
      const kind = await this.kindOf(path);
      if (kind === undefined) {
        this.kinds.delete(path);
      } else {
        this.kinds.set(path, kind);
      }
      if (++count % reportedAfter === 0) {
        this.reportChanges();
      }
    }
    this.reportChanges();
    this.finding = undefined;
  }

  private async kindOf(path: string): Promise<FileKind | undefined> {
    if (isRowsFile(path)) {
      return 'rows';
    }
    const lines = await this.read(path).catch(() => undefined);
    const kind = lines && kindOfLines(lines);
    return kind === 'empty' && path.endsWith('.json') ? undefined : kind;
  }

  private reportChanges(): void {
    if (this.isDisposed) {
      return;
    }
    for (const kind of new Set([...this.reported.keys(), ...this.kinds.values()])) {
      const paths = [...this.kinds].flatMap(([path, other]) => (other === kind ? [path] : [])).sort();
      const text = JSON.stringify(paths);
      if (text !== this.reported.get(kind)) {
        this.reported.set(kind, text);
        this.report(kind, paths);
      }
    }
  }
}

type FilesKey = { [K in keyof ContextKeys]: ContextKeys[K] extends readonly string[] ? K : never }[keyof ContextKeys];

const keys = {
  requests: 'managedAgents.requestFiles',
  results: 'managedAgents.resultFiles',
  otherForm: 'managedAgents.otherFormFiles',
  rows: 'managedAgents.rowFiles',
  empty: 'managedAgents.emptyFiles',
} as const satisfies Readonly<Record<FileKind, FilesKey>>;

const watchedFiles = '**/*.{jsonl,ndjson,JSONL,NDJSON,csv,tsv,batch-template.json}';

/** Maximum number of workspace files to read, and maximum bytes to read per file. The first line is enough to detect the kind. */
const maxFiles = 2000;
const headBytes = 64 * 1024;

/**
 * Maintains the context keys that list workspace files and open documents by the actions they allow. Also reads other JSON documents when
 * they are opened.
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
  // Skips the folder with the results of earlier runs.
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
    // A file over 50 MB has a tab, but no document.
    vscode.window.tabGroups.onDidChangeTabs(findTab),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void scanNow()),
    documents.onDidOpen(({ document }) => find(document.uri)),
    documents.onDidClose(({ document }) => find(document.uri)),
    registry.onDidChange(listAnswered),
  );
}

/** Returns the paths of files with fetched results. A value is true if some requests have no good result. */
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

/** Returns the path of a file, equal to `resourcePath` in `when` clauses. */
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
