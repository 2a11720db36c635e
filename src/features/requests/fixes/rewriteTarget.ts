import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { exists } from '../../../common/asking/newFile';
import { showFailure, showInformation } from '../../../common/asking/notifications';
import { runJob } from '../fileWork';
import { withProgress } from '../../../common/asking/progress';
import { describeError } from '../../../common/text/describeError';
import type { FileState } from '../../../jsonl/files/fileState';
import { restoreFile } from '../../../jsonl/files/publishing';
import { createRewriter, type RewriteReport, type RewriteSource, type RewriteWork } from '../../../jsonl/fixes/createRewriter';
import type { FixKind } from '../../../jsonl/fixes/fixKinds';
import type { RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import { toLabel } from '../../../shared/text';
import { unsavedDocument } from '../documents/fileOnDisk';
import { nameOf, readFirstLines, sampleLines } from '../documents/requestFile';
import type { EditingDependencies } from '../editingDependencies';
import { applyRewrite, type DocumentRewrite, lineCheckerOf, planRewrite } from './documentRewrite';
import { toNewName } from './fixesPresentation';

interface ReplacedFile {
  readonly backupPath: string;
  readonly written: FileState;
}

/** Prepared change of a file. */
export interface PreparedRewrite {
  readonly summary: RewriteSummary;
  /** For a file on disk, the name of the backup and the name of a new file. */
  readonly names: { readonly backup: string; readonly created: string } | undefined;
  /**
   * Applies the change. Throws if the file or document has changed meanwhile. An open document changes in one undo step, whatever `output`
   * is. For a file on disk, `here` replaces it and keeps a backup, and `new` writes another file.
   */
  apply(output: 'here' | 'new'): Promise<WrittenFile | undefined>;
}

/** File that was written on disk. */
export interface WrittenFile {
  readonly uri: vscode.Uri;
  readonly replaced: ReplacedFile | undefined;
}

/** File to rewrite: as an edit of its open document, or on disk by a job. */
export class RewriteTarget {
  private readonly rules: RuleOptions;
  readonly name: string;

  private constructor(
    private readonly deps: EditingDependencies,
    readonly uri: vscode.Uri,
    private readonly document: vscode.TextDocument | undefined,
  ) {
    this.rules = deps.rules.options(uri);
    this.name = nameOf(uri);
  }

  /** Throws an error for the user if the file can't be read. */
  static async of(deps: EditingDependencies, uri: vscode.Uri): Promise<RewriteTarget> {
    const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString() && !document.isClosed);
    return new RewriteTarget(deps, uri, open ?? (await unsavedDocument(uri)));
  }

  /** Returns the summary of `work` on the whole file, without changing it. */
  async survey(work: RewriteWork): Promise<RewriteSummary> {
    return (await this.prepare(work)).summary;
  }

  /** Prepares `work` for a preview, so that exactly the shown changes can be applied. */
  async prepare(work: RewriteWork): Promise<PreparedRewrite> {
    const { document } = this;
    const title = vscode.l10n.t('Reading {0}', this.name);
    if (document !== undefined) {
      const rewrite = await withProgress(title, new AbortController().signal, signal => this.plan(document, work, signal));
      const apply = async () => {
        await applyRewrite(document, rewrite);
        return undefined;
      };
      return { summary: rewrite.summary, names: undefined, apply };
    }
    const report = await this.run(title, { path: this.uri.fsPath, work, rules: this.rules });
    const [backup, created] = await Promise.all([this.freeName('before'), this.freeName('edited')]);
    const apply = async (output: 'here' | 'new'): Promise<WrittenFile> => {
      const folder = path.dirname(this.uri.fsPath);
      const backupPath = path.join(folder, backup);
      const paths = output === 'here' ? { outPath: this.uri.fsPath, backupPath } : { outPath: path.join(folder, created) };
      const { written } = await this.run(vscode.l10n.t('Changing {0}', this.name), {
        path: this.uri.fsPath,
        work,
        rules: this.rules,
        expected: report.file,
        ...paths,
      });
      const uri = output === 'here' ? this.uri : vscode.Uri.file(paths.outPath);
      return { uri, replaced: output === 'here' && written !== undefined ? { backupPath, written } : undefined };
    };
    return { summary: report, names: { backup, created }, apply };
  }

  /** Asks whether to replace a file on disk or write a new one. Open documents are edited without asking. `label` names the change. */
  async askTarget({ names }: PreparedRewrite, label: string): Promise<'here' | 'new'> {
    const { t } = vscode.l10n;
    if (names === undefined) {
      return 'here';
    }
    return await askChoice<'here' | 'new'>({
      title: this.name,
      placeholder: t('Select where to write'),
      choices: [
        { label: `$(check) ${label}`, description: t('backup: {0}', toLabel(names.backup, 80)), value: 'here' },
        { label: `$(new-file) ${t('Write New File')}`, description: toLabel(names.created, 80), value: 'new' },
      ],
    });
  }

  private run(title: string, source: RewriteSource): Promise<RewriteReport> {
    return runJob(this.deps, title, 'rewriteFile', source);
  }

  /** Reports the change. The user can open a new file, or restore a replaced one. */
  showDone(sentence: string, done: WrittenFile | undefined): void {
    const { t } = vscode.l10n;
    const replaced = done?.replaced;
    if (replaced !== undefined) {
      const undo = t('Undo');
      const backup = toLabel(path.basename(replaced.backupPath), 80);
      const message = t('{0}: {1} Backup: {2}.', this.name, sentence, backup);
      void showInformation(message, undo).then(button => (button === undo ? putBack(this.uri.fsPath, replaced) : undefined));
    } else if (done === undefined || done.uri.toString() === this.uri.toString()) {
      void showInformation(`${this.name}: ${sentence}`);
    } else {
      const open = t('Open');
      void showInformation(t('Wrote {0}. {1}', nameOf(done.uri), sentence), open).then(button =>
        button === open ? vscode.commands.executeCommand('vscode.open', done.uri) : undefined,
      );
    }
  }

  async firstLines(): Promise<readonly string[]> {
    const { document } = this;
    return document === undefined
      ? await readFirstLines(this.uri.fsPath)
      : Array.from({ length: Math.min(document.lineCount, sampleLines) }, (_, line) => document.lineAt(line).text);
  }

  private async plan(document: vscode.TextDocument, work: RewriteWork, signal: AbortSignal): Promise<DocumentRewrite> {
    const lineChecker = lineCheckerOf(this.deps.documents.get(document)?.requests.checker, this.rules);
    return await planRewrite(document, createRewriter(work, this.rules), lineChecker, kindsOf(work), signal);
  }

  /** Returns an unused name next to the file that includes a word. */
  private async freeName(word: string): Promise<string> {
    const { dir, base } = path.parse(this.uri.fsPath);
    let number = 1;
    while (await exists(path.join(dir, toNewName(base, word, number)))) {
      number++;
    }
    return toNewName(base, word, number);
  }
}

/** Returns the kinds of fixes in `work` that affect more than single lines. */
function kindsOf(work: RewriteWork): readonly FixKind[] {
  return work.type === 'fix' ? (work.selection.kinds ?? []) : [];
}

/** Restores a file that was replaced. Shows a message if the file has changed since. */
async function putBack(file: string, { backupPath, written }: ReplacedFile): Promise<void> {
  const { t } = vscode.l10n;
  const names = [file, backupPath].map(name => toLabel(path.basename(name), 80));
  try {
    if (!(await restoreFile(file, backupPath, written))) {
      await showFailure(t('{0} has changed and was not restored. Its earlier text is in {1}.', ...names));
    }
  } catch (error) {
    await showFailure(toLabel(describeError(error), 1000));
  }
}
