import * as vscode from 'vscode';
import { Debounce } from '../../../common/debounce';
import { combine } from '../../../common/disposables';
import { createDiagnostic, foreignDiagnostics, onDidChangeForeignDiagnostics } from '../../../common/documents/documentChecks';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { manifestName, skillLimits } from '../../../contract/skillRules';
import { strictTextOf } from '../documents/openContent';
import { checkFiles, checkManifest, findSecrets, type SkillFinding } from './skillChecks';
import { type FolderFile, isManifest, readSkillFolder, type SkillFolder } from './skillFolder';

/** Delay between the last keystroke and the check of a folder, in milliseconds. */
const pause = 250;
/** Largest file that is searched for secrets, in bytes. */
const maxSearched = 1024 * 1024;

/** Reports the problems of folders whose `SKILL.md` is open. Updates them while the user types and when a file of the folder changes. */
export class SkillDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('managedAgents.skill');
  private readonly debounce = new Debounce();
  private readonly followed = new Map<string, FollowedFolder>();
  private readonly secrets = new Map<string, { readonly state: string; readonly findings: readonly SkillFinding[] }>();
  private readonly subscriptions: vscode.Disposable;

  constructor() {
    this.subscriptions = combine(
      this.collection,
      vscode.workspace.onDidOpenTextDocument(document => this.follow(document)),
      this.debounce,
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.checkSoon(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.leave(uri)),
      onDidChangeForeignDiagnostics(isManifest, uri => this.checkSoon(uri)),
      onDidChangeSettings(['managedAgents.editor.problems'], () => {
        for (const { manifest } of this.followed.values()) {
          this.checkSoon(manifest);
        }
      }),
    );
    for (const document of vscode.workspace.textDocuments) {
      this.follow(document);
    }
  }

  /** Checks the current content of a folder, with unsaved edits. */
  async check(folder: vscode.Uri): Promise<{ readonly folder: SkillFolder; readonly findings: readonly SkillFinding[] }> {
    const found = await readSkillFolder(folder);
    const manifest = found.files.find(({ path }) => path === manifestName);
    const paths = found.files.map(({ path }) => path);
    const text = manifest === undefined ? '' : await textOf(manifest);
    const findings = [...checkManifest(text, found.name, paths, vscode.l10n.t), ...checkFiles(found.files, found.isWhole, vscode.l10n.t)];
    const total = found.files.reduce((sum, { bytes }) => sum + bytes, 0);
    // A folder that is too large for a skill is also too large to search at every change.
    const searched = found.isWhole && total <= skillLimits.packageBytes ? found.files : [];
    for (const file of searched.filter(({ path }) => path !== manifestName)) {
      findings.push(...(await this.secretsOf(file)));
    }
    return { folder: found, findings };
  }

  dispose(): void {
    for (const { watcher } of this.followed.values()) {
      watcher.dispose();
    }
    this.followed.clear();
    this.subscriptions.dispose();
  }

  private follow({ uri: manifest }: vscode.TextDocument): void {
    if (isManifest(manifest) && !this.followed.has(keyOf(manifest))) {
      const uri = vscode.Uri.joinPath(manifest, '..');
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(uri, '**'));
      const soon = () => this.checkSoon(manifest);
      const subscriptions = combine(watcher, watcher.onDidCreate(soon), watcher.onDidChange(soon), watcher.onDidDelete(soon));
      this.followed.set(keyOf(manifest), { uri, manifest, watcher: subscriptions, shown: [], round: 0 });
      this.checkSoon(manifest);
    }
  }

  private leave(uri: vscode.Uri): void {
    const folder = this.followed.get(keyOf(uri));
    if (folder !== undefined) {
      this.followed.delete(keyOf(uri));
      this.debounce.cancel(keyOf(uri));
      folder.watcher.dispose();
      this.clear(folder);
      for (const file of [...this.secrets.keys()].filter(one => one.startsWith(`${keyOf(folder.uri)}/`))) {
        this.secrets.delete(file);
      }
    }
  }

  private checkSoon(manifest: vscode.Uri): void {
    const folder = this.followed.get(keyOf(manifest));
    if (folder !== undefined) {
      // A folder that can't be read is checked again after its next change.
      this.debounce.run(keyOf(manifest), pause, () => void this.show(folder).catch(() => undefined));
    }
  }

  private async show(followed: FollowedFolder): Promise<void> {
    const { manifest } = followed;
    const round = ++followed.round;
    const isWanted = readSetting('managedAgents.editor.problems', manifest);
    const { folder, findings = [] } = isWanted ? await this.check(followed.uri) : {};
    const entries: [vscode.Uri, readonly vscode.Diagnostic[]][] = [];
    for (const file of folder?.files ?? []) {
      const own = findings.filter(({ path }) => path === file.path);
      if (own.length > 0) {
        entries.push([file.uri, await toDiagnostics(file, own)]);
      }
    }
    if (this.followed.get(keyOf(manifest)) === followed && followed.round === round) {
      this.clear(followed);
      followed.shown = entries.map(([uri]) => uri);
      this.collection.set(entries);
    }
  }

  private clear({ shown }: FollowedFolder): void {
    for (const uri of shown) {
      this.collection.delete(uri);
    }
  }

  /** Returns the findings of possible secrets in a file. Reads the file again only after it changed. */
  private async secretsOf(file: FolderFile): Promise<readonly SkillFinding[]> {
    const key = file.uri.toString();
    const known = this.secrets.get(key);
    const dirty = dirtyText(file.uri);
    if (dirty !== undefined) {
      return findSecrets(file.path, dirty, vscode.l10n.t);
    }
    if (known?.state === file.state) {
      return known.findings;
    }
    const bytes = file.bytes > maxSearched ? new Uint8Array() : await vscode.workspace.fs.readFile(file.uri);
    const findings = findSecrets(file.path, strictTextOf(bytes) ?? '', vscode.l10n.t);
    this.secrets.set(key, { state: file.state, findings });
    return findings;
  }
}

/** Folder whose `SKILL.md` is open. Checked shortly after the last change of any of its files. */
interface FollowedFolder {
  readonly uri: vscode.Uri;
  readonly manifest: vscode.Uri;
  readonly watcher: vscode.Disposable;
  shown: readonly vscode.Uri[];
  /** Number of the latest check. Results of earlier checks are dropped. */
  round: number;
}

async function toDiagnostics(file: FolderFile, findings: readonly SkillFinding[]): Promise<readonly vscode.Diagnostic[]> {
  const needsText = findings.some(({ end }) => end > 0);
  const positionAt = needsText ? positionsIn(await textOf(file)) : () => new vscode.Position(0, 0);
  const reported = file.path === manifestName ? reportedByVsCode(file.uri) : [];
  const all = findings.map(({ start, end, severity, code, message }) => {
    const kind = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    return createDiagnostic(new vscode.Range(positionAt(start), positionAt(end)), message, kind, code);
  });
  return all.filter(one => !isReported(one, reported));
}

/** Codes of problems that newer versions of VS Code also report, through their language support for `SKILL.md`. */
const alsoReported: ReadonlySet<unknown> = new Set(['nameMissing', 'nameForm', 'nameFolder', 'descriptionMissing', 'deadLink']);

/** Returns the problems of a `SKILL.md` that VS Code itself reports. */
function reportedByVsCode(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  return openDocumentOf(uri)?.languageId === 'skill' ? foreignDiagnostics(uri) : [];
}

/** Returns whether VS Code itself reports a problem on the same lines. */
function isReported({ code, range }: vscode.Diagnostic, reported: readonly vscode.Diagnostic[]): boolean {
  return (
    alsoReported.has(code) && reported.some(({ range: { start, end } }) => start.line <= range.end.line && end.line >= range.start.line)
  );
}

function positionsIn(text: string): (offset: number) => vscode.Position {
  return offset => {
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    return new vscode.Position(before.split('\n').length - 1, offset - lineStart);
  };
}

async function textOf({ uri }: Pick<FolderFile, 'uri'>): Promise<string> {
  return openDocumentOf(uri)?.getText() ?? Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
}

/** Returns the unsaved text of a file. */
export function dirtyText(uri: vscode.Uri): string | undefined {
  const open = openDocumentOf(uri);
  return open?.isDirty === true ? open.getText() : undefined;
}

function keyOf(uri: vscode.Uri): string {
  return uri.toString();
}
