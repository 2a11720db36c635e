import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, type Choice } from '../../../common/asking/askSteps';
import { findFreePath } from '../../../common/asking/newFile';
import { withProgress } from '../../../common/asking/progress';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import type { FileState } from '../../../jsonl/files/fileState';
import { restoreFile } from '../../../jsonl/files/publishing';
import { createRewriter, type RewriteWork } from '../../../jsonl/fixes/createRewriter';
import type { RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import { toLabel } from '../../../shared/text';
import { unsavedDocument } from '../documents/fileOnDisk';
import { fileLabelOf, readFirstLines, sampleLines } from '../documents/requestFile';
import { type Act, type EditingDependencies, offerActs, runJob } from '../fileWork';
import { applyRewrite, lineCheckerOf, planRewrite } from './documentRewrite';

interface ReplacedFile {
  readonly backupPath: string;
  readonly written: FileState;
}

interface PreparedRewrite {
  readonly summary: RewriteSummary;
  /** For a file on disk, the name of the backup and the name of a new file. */
  readonly names: { readonly backup: string; readonly created: string } | undefined;
  /**
   * Applies the change. Throws if the file or document has changed meanwhile. An open document changes in one undo step and ignores
   * `output`. For a file on disk, `here` replaces it and keeps a backup, and `new` writes another file.
   */
  apply(output: 'here' | 'new'): Promise<WrittenFile | undefined>;
}

export interface WrittenFile {
  readonly uri: vscode.Uri;
  readonly replaced: ReplacedFile | undefined;
}

/** File to rewrite, as an edit of its open document or on disk by a job. */
export class RewriteTarget {
  private readonly rules: RuleOptions;
  readonly name: string;

  private constructor(
    private readonly deps: EditingDependencies,
    readonly uri: vscode.Uri,
    private readonly document: vscode.TextDocument | undefined,
  ) {
    this.rules = deps.rules.options(uri);
    this.name = fileLabelOf(uri);
  }

  /** Throws an error for the user if the file can't be read. */
  static async of(deps: EditingDependencies, uri: vscode.Uri): Promise<RewriteTarget> {
    return new RewriteTarget(deps, uri, openDocumentOf(uri) ?? (await unsavedDocument(uri)));
  }

  /** Prepares `work` for a preview, so that exactly the previewed changes can be applied. */
  async prepare(work: RewriteWork): Promise<PreparedRewrite> {
    const { document, deps, rules } = this;
    const title = vscode.l10n.t('Reading {0}', this.name);
    if (document !== undefined) {
      const lineChecker = lineCheckerOf(deps.documents.get(document)?.checker, rules);
      const kinds = work.type === 'fix' ? (work.selection.kinds ?? []) : [];
      const rewrite = await withProgress(title, new AbortController().signal, signal =>
        planRewrite(document, createRewriter(work, rules), lineChecker, kinds, signal),
      );
      const apply = async () => {
        await applyRewrite(document, rewrite);
        return undefined;
      };
      return { summary: rewrite.summary, names: undefined, apply };
    }
    const source = { path: this.uri.fsPath, work, rules };
    const report = await runJob(deps, title, 'rewriteFile', source);
    const [backup, created] = await Promise.all([this.freeName('before'), this.freeName('edited')]);
    const apply = async (output: 'here' | 'new'): Promise<WrittenFile> => {
      const folder = path.dirname(source.path);
      const backupPath = path.join(folder, backup);
      const paths = output === 'here' ? { outPath: source.path, backupPath } : { outPath: path.join(folder, created) };
      const changing = vscode.l10n.t('Changing {0}', this.name);
      const { written } = await runJob(deps, changing, 'rewriteFile', { ...source, expected: report.file, ...paths });
      const uri = output === 'here' ? this.uri : vscode.Uri.file(paths.outPath);
      return { uri, replaced: output === 'here' && written !== undefined ? { backupPath, written } : undefined };
    };
    return { summary: report, names: { backup, created }, apply };
  }

  /** Asks whether to replace a file on disk or write a new file. Open documents are edited without asking. `label` names the change. */
  async askOutput(prepared: PreparedRewrite, label: string): Promise<'here' | 'new'> {
    const placeholder = vscode.l10n.t('Select where to write');
    return prepared.names === undefined ? 'here' : await askChoice({ title: this.name, placeholder, choices: outputsOf(prepared, label) });
  }

  /** Reports the change. Buttons open a new file, restore a replaced file, or run `more`. */
  showDone(sentence: string, done: WrittenFile | undefined, ...more: readonly Act[]): void {
    const { t } = vscode.l10n;
    const replaced = done?.replaced;
    if (replaced !== undefined) {
      const backup = toLabel(path.basename(replaced.backupPath), 80);
      const undo = { label: t('Undo'), run: () => putBack(this.uri.fsPath, replaced) };
      offerActs(this.deps, t('{0}: {1} Backup: {2}.', this.name, sentence, backup), [undo, ...more]);
    } else if (done === undefined || done.uri.toString() === this.uri.toString()) {
      offerActs(this.deps, `${this.name}: ${sentence}`, more);
    } else {
      const open = { label: t('Open'), run: () => vscode.commands.executeCommand('vscode.open', done.uri) };
      offerActs(this.deps, t('Wrote {0}. {1}', fileLabelOf(done.uri), sentence), [open, ...more]);
    }
  }

  async firstLines(): Promise<readonly string[]> {
    const { document } = this;
    return document === undefined
      ? await readFirstLines(this.uri.fsPath)
      : Array.from({ length: Math.min(document.lineCount, sampleLines) }, (_, line) => document.lineAt(line).text);
  }

  /** Returns an unused file name in the same folder that ends with `word`. */
  private async freeName(word: string): Promise<string> {
    const { name, ext } = path.parse(this.uri.fsPath);
    const [stem, ending] = [`${name}.${word}`, ext === '' ? '.jsonl' : ext];
    return path.basename((await findFreePath(this.uri, stem, ending)) ?? `${stem}${ending}`);
  }
}

/** Returns the choices of where to write a change. `label` names the change. */
export function outputsOf({ names }: PreparedRewrite, label: string): readonly Choice<'here' | 'new'>[] {
  const { t } = vscode.l10n;
  if (names === undefined) {
    return [{ label: `$(check) ${label}`, description: t('can be undone'), value: 'here' }];
  }
  return [
    { label: `$(check) ${label}`, description: t('backup: {0}', toLabel(names.backup, 80)), value: 'here' },
    { label: `$(new-file) ${t('Write New File')}`, description: toLabel(names.created, 80), value: 'new' },
  ];
}

/** Restores a file that was replaced. Throws an error for the user if the file has changed since. */
async function putBack(file: string, { backupPath, written }: ReplacedFile): Promise<void> {
  if (!(await restoreFile(file, backupPath, written))) {
    const names = [file, backupPath].map(name => toLabel(path.basename(name), 80));
    throw new Error(vscode.l10n.t('{0} has changed and was not restored. Its earlier text is in {1}.', ...names));
  }
}
