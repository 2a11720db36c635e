import * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import { commandLink } from '../../../common/commands';
import { Debounce } from '../../../common/debounce';
import { combine } from '../../../common/disposables';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { tabsOf } from '../../../common/documents/tabs';
import type { Log } from '../../../common/log';
import { lensTitle } from '../../../common/text/lensTitle';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { BuildReport, RowsSurvey } from '../../../jsonl/building/rowsReport';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { fileLabelOf } from '../documents/requestFile';
import { count } from '../fileWork';
import type { RuleSettings } from '../ruleSettings';
import { toFormatName, toPreview } from './previewPresentation';
import type { RowsFiles } from './rowsFiles';

const { t } = vscode.l10n;

export const previewScheme = 'managed-agents-build';

/** Delay between a keystroke and the update of a preview, in milliseconds. */
const typingDelay = 150;
/** Maximum size in bytes of rows that are built while the user types. Larger files are built when the template is saved, or on request. */
const maxLiveBytes = 64 * 1024 * 1024;

export interface BuildPreview {
  readonly uri: vscode.Uri;
  readonly template: vscode.Uri;
  rows: vscode.Uri;
  survey: RowsSurvey;
  report: BuildReport | undefined;
  isChecking: boolean;
  errors: number;
  random: number;
  /** Controller that cancels the current check. */
  reading: AbortController;
}

/**
 * Previews of the requests that a template builds from rows. Each is a read-only document next to the template and follows its edits. The
 * lenses of a preview offer the actions.
 */
export class BuildPreviews implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly documents = new ReadonlyDocuments(previewScheme, () => t('// This preview has expired. Run the command again.'));
  private readonly previews = new Map<string, BuildPreview>();
  private readonly debounce = new Debounce();
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.lensesChanged.event;

  constructor(
    private readonly jobs: JsonlJobs,
    private readonly rowsFiles: RowsFiles,
    private readonly rules: RuleSettings,
    private readonly log: Log,
  ) {
    this.subscriptions = combine(
      this.documents,
      this.debounce,
      this.lensesChanged,
      vscode.languages.registerCodeLensProvider({ scheme: previewScheme }, this),
      this.documents.onDidClose(uri => this.forget(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.follow(document.uri, false)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.follow(uri, true)),
      rules.onDidChange(() => {
        for (const preview of this.previews.values()) {
          this.inBackground(this.refresh(preview, true));
        }
      }),
    );
  }

  /** Shows a preview of a template and rows, reusing the template's preview if there is one. */
  async show(template: vscode.Uri, rows: vscode.Uri): Promise<void> {
    const survey = await this.rowsFiles.survey(rows);
    let preview = [...this.previews.values()].find(open => open.template.toString() === template.toString());
    if (preview === undefined) {
      const uri = this.documents.create(
        `${t('Preview of {0}', fileLabelOf(template).replace(/(?:\.batch-template)?\.json$/, ''))}.jsonc`,
        '',
      );
      preview = { uri, template, rows, survey, report: undefined, isChecking: true, errors: 0, random: 0, reading: new AbortController() };
      this.previews.set(uri.toString(), preview);
    } else {
      preview.rows = rows;
      preview.survey = survey;
    }
    await this.refresh(preview, true);
    const isTemplateShown = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === template.toString());
    const viewColumn = tabsOf(preview.uri)[0]?.group.viewColumn ?? (isTemplateShown ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
    const document = await vscode.workspace.openTextDocument(preview.uri);
    await vscode.window.showTextDocument(document, { viewColumn, preview: false });
  }

  find(uri = vscode.window.activeTextEditor?.document.uri): BuildPreview | undefined {
    return uri && this.previews.get(uri.toString());
  }

  async showAnotherRow(preview: BuildPreview): Promise<void> {
    preview.random++;
    await this.render(preview);
  }

  /** Reads the rows again, and refreshes the preview if they changed. */
  async reload(preview: BuildPreview): Promise<void> {
    const survey = await this.rowsFiles.survey(preview.rows);
    if (survey !== preview.survey) {
      preview.survey = survey;
      await this.refresh(preview, true);
    }
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const preview = this.previews.get(document.uri.toString());
    if (preview === undefined) {
      return [];
    }
    const { uri, survey, report, rows, template, errors } = preview;
    const requests = report?.requestCount ?? survey.rowCount;
    const build = (icon: string, title: string, act?: 'anotherRow' | 'chooseRows') =>
      commandLink('managedAgents.file.build', lensTitle(icon, title), uri, act);
    const all = requests === 1 ? t('Build 1 Request') : t('Build {0} Requests', count(requests));
    const canBuild = errors === 0 && survey.stop === undefined && requests > 0;
    const commands: vscode.Command[] = [
      ...(canBuild ? [build('play', all)] : []),
      ...(survey.rowCount > 2 ? [build('refresh', t('Another Random Row'), 'anotherRow')] : []),
      build('table', `${withoutIcons(fileLabelOf(rows))}: ${toFormatName(survey.format, t)}`, 'chooseRows'),
      {
        command: 'vscode.open',
        title: lensTitle('edit', withoutIcons(fileLabelOf(template))),
        arguments: [template, { viewColumn: vscode.ViewColumn.One }],
      },
    ];
    return commands.map(command => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command));
  }

  dispose(): void {
    for (const { uri } of this.previews.values()) {
      this.forget(uri);
    }
    this.subscriptions.dispose();
  }

  private follow(uri: vscode.Uri, isSaved: boolean): void {
    for (const preview of this.previews.values()) {
      if (uri.toString() === preview.template.toString()) {
        const isLive = isSaved || preview.survey.fileBytes <= maxLiveBytes;
        this.debounce.run(preview.uri.toString(), typingDelay, () => this.inBackground(this.refresh(preview, isLive)));
      } else if (isSaved && uri.toString() === preview.rows.toString()) {
        this.inBackground(this.reload(preview));
      }
    }
  }

  /** Renders a preview immediately. If `isChecked`, builds every row in the background and renders the preview again. */
  private async refresh(preview: BuildPreview, isChecked: boolean): Promise<void> {
    preview.reading.abort();
    preview.reading = new AbortController();
    const { signal } = preview.reading;
    preview.report = undefined;
    preview.isChecking = isChecked;
    const template = await this.render(preview);
    if (!isChecked || preview.errors > 0 || preview.survey.stop !== undefined || signal.aborted) {
      return;
    }
    this.inBackground(this.update(preview, template, signal));
  }

  /** Runs work that the user didn't request. Failures are only logged. */
  private inBackground(work: Promise<void>): void {
    work.catch(error => {
      if (!isCancellation(error)) {
        this.log.error('A preview of requests could not be updated', error);
      }
    });
  }

  private async update(preview: BuildPreview, template: string, signal: AbortSignal): Promise<void> {
    const { rows, survey } = preview;
    const columns = survey.columns.map(({ name }) => name);
    const rules = this.rules.options(preview.template);
    const report = await this.rowsFiles.read(rows, rowsPath =>
      this.jobs.run('buildRequests', { rowsPath, format: survey.format, columns, template, rules }, { signal }),
    );
    if (!signal.aborted) {
      preview.report = report;
      await this.render(preview);
    }
  }

  /** Renders a preview. Returns the text of its template. */
  private async render(preview: BuildPreview): Promise<string> {
    const document = await vscode.workspace.openTextDocument(preview.template);
    const template = document.getText();
    const { text, errors } = toPreview(
      {
        ...preview,
        rowsName: fileLabelOf(preview.rows),
        templateName: fileLabelOf(preview.template),
        template,
        rules: this.rules.options(preview.template),
      },
      t,
      vscode.env.language,
    );
    preview.errors = errors;
    this.documents.update(preview.uri, text);
    this.lensesChanged.fire();
    return template;
  }

  private forget(uri: vscode.Uri): void {
    this.debounce.cancel(uri.toString());
    this.previews.get(uri.toString())?.reading.abort();
    this.previews.delete(uri.toString());
  }
}
