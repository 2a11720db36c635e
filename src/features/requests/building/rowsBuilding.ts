import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { askChoice, separator } from '../../../common/asking/askSteps';
import { confirmModal } from '../../../common/asking/confirmChange';
import { chooseFreePath, exists } from '../../../common/asking/newFile';
import { showWarning } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { combine } from '../../../common/disposables';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { areTexts, StoredList } from '../../../common/storedList';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { findTemplateErrors, parseTemplate } from '../../../jsonl/building/requestTemplate';
import type { BuildReport, RowsFormat, RowsSurvey } from '../../../jsonl/building/rowsReport';
import { fileLabelOf } from '../documents/requestFile';
import {
  askNewPath,
  count,
  createBatchOf,
  type FileWorkDependencies,
  offerActs,
  requestsOf,
  runJob,
  snapshotFolder,
  stemOf,
} from '../fileWork';
import { type BuildPreview, BuildPreviews } from './buildPreviews';
import { toBuildReport, toFormatName, toNoRows, toRowsProblem } from './previewPresentation';
import { askCsvFormat, chooseRows, chooseTemplate, isTemplate, RowsFiles, templateEnding } from './rowsFiles';
import { registerTemplateLanguage } from './templateLanguage';

/** Maximum number of columns that the message of a new template uses. */
const maxColumns = 20;

interface Entry {
  readonly template: string;
  readonly rows: string;
  readonly format?: RowsFormat;
}

/** Builds requests from rows and a template: the commands, the previews, and the editor support for templates. */
export class RowsBuilding implements vscode.Disposable {
  private readonly rowsFiles: RowsFiles;
  /** Last rows that each template was used with, and the format that the user chose for them. */
  private readonly memory: StoredList<Entry>;
  private readonly previews: BuildPreviews;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: FileWorkDependencies) {
    const { context, jobs, rules, log } = deps;
    this.rowsFiles = new RowsFiles(jobs, snapshotFolder(deps), deps.lifetime);
    this.memory = new StoredList(context.workspaceState, {
      key: 'managedAgents.rowsOfTemplates',
      max: 100,
      identity: ({ template }) => template,
      isEntry: ({ template, rows }) => areTexts(template, rows),
    });
    this.previews = new BuildPreviews(jobs, this.rowsFiles, rules, log);
    this.subscriptions = combine(
      this.previews,
      registerTemplateLanguage(template => this.rememberedSurvey(template), this.memory.onDidChange, log),
    );
  }

  /**
   * Builds the requests of a preview, or runs another action of the preview. For any other file, asks for the missing rows or template and
   * shows the preview.
   */
  async build(uri: vscode.Uri | undefined, act?: 'anotherRow' | 'chooseRows'): Promise<void> {
    const preview = this.previews.find(uri);
    if (preview === undefined) {
      await this.openPreview(uri);
    } else if (act === 'chooseRows') {
      await this.chooseRows(preview);
    } else {
      await (act === 'anotherRow' ? this.previews.showAnotherRow(preview) : this.write(preview));
    }
  }

  private async openPreview(uri: vscode.Uri | undefined): Promise<void> {
    const shown = uri ?? activeUri();
    if (shown !== undefined && isTemplate(shown)) {
      await this.open(shown, (await this.remembered(shown)) ?? (await chooseRows(undefined)));
      return;
    }
    const rows = await chooseRows(uri);
    const survey = await this.surveyed(rows, () => this.openPreview(rows));
    await this.open((await chooseTemplate(survey)) ?? (await this.newTemplate(rows, survey)), rows);
  }

  async open(template: vscode.Uri, rows: vscode.Uri): Promise<void> {
    await this.previews.show(template, rows);
    const format = this.rowsFiles.chosenFormat(rows);
    await this.memory.put({ template: template.toString(), rows: rows.toString(), ...(format && { format }) });
  }

  /** Lets the user choose other rows for a preview, or another format for the same rows. */
  private async chooseRows({ template, rows, survey: { format } }: BuildPreview): Promise<void> {
    const answer =
      format.kind === 'csv'
        ? await askChoice({
            title: vscode.l10n.t('Rows for {0}', fileLabelOf(template)),
            placeholder: vscode.l10n.t('Select an action for {0}', fileLabelOf(rows)),
            choices: [
              { label: vscode.l10n.t('Select Other Rows...'), value: 'file' },
              separator(withoutIcons(fileLabelOf(rows))),
              { label: vscode.l10n.t('Delimiter and Header...'), description: toFormatName(format, vscode.l10n.t), value: 'format' },
            ],
          })
        : 'file';
    if (answer === 'format' && format.kind === 'csv') {
      this.rowsFiles.setFormat(rows, await askCsvFormat(rows, format));
      await this.open(template, rows);
      return;
    }
    await this.open(template, await chooseRows(undefined));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Returns the rows that were last used with a template, if they still exist. */
  private async remembered(template: vscode.Uri): Promise<vscode.Uri | undefined> {
    const found = this.memory.find(entry => entry.template === template.toString());
    const rows = found && vscode.Uri.parse(found.rows, true);
    const isAvailable = rows?.scheme === 'file' ? await exists(rows.fsPath) : rows && openDocumentOf(rows) !== undefined;
    if (rows === undefined || isAvailable !== true) {
      return undefined;
    }
    if (found?.format !== undefined && this.rowsFiles.chosenFormat(rows) === undefined) {
      this.rowsFiles.setFormat(rows, found.format);
    }
    return rows;
  }

  private async rememberedSurvey(template: vscode.Uri): Promise<RowsSurvey | undefined> {
    const rows = await this.remembered(template);
    return rows && (await this.rowsFiles.glance(rows));
  }

  /**
   * Returns the survey of a file of rows. Throws if the file has no rows. For a CSV, a warning then lets the user choose the format and
   * calls `again`.
   */
  private async surveyed(rows: vscode.Uri, again: () => Promise<void>): Promise<RowsSurvey> {
    const survey = await this.rowsFiles.survey(rows);
    const { rowCount, stop, format } = survey;
    if (rowCount > 0) {
      return survey;
    }
    const message =
      stop === undefined ? toNoRows(fileLabelOf(rows), format, vscode.l10n.t) : toRowsProblem(fileLabelOf(rows), stop, vscode.l10n.t);
    if (format.kind !== 'csv') {
      throw new Error(message);
    }
    const choose = async () => {
      this.rowsFiles.setFormat(rows, await askCsvFormat(rows, format));
      await again();
    };
    offerActs(this.deps, message, [{ label: vscode.l10n.t('Delimiter and Header...'), run: choose }], showWarning);
    throw new CancelledError();
  }

  /** Creates a template next to the rows, or where the user chooses, and shows it. */
  private async newTemplate(rows: vscode.Uri, survey: RowsSurvey): Promise<vscode.Uri> {
    const file = await chooseFreePath(rows, stemOf(rows), templateEnding, vscode.l10n.t('Save Template'));
    await writeFile(file, toTemplateText(survey));
    const uri = vscode.Uri.file(file);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    return uri;
  }

  private async write(preview: BuildPreview): Promise<void> {
    const { rows, template } = preview;
    const before = JSON.stringify(preview.survey.columns.map(({ name }) => name));
    await this.previews.reload(preview);
    const columns = preview.survey.columns.map(({ name }) => name);
    if (preview.survey.stop !== undefined) {
      throw new Error(toRowsProblem(fileLabelOf(rows), preview.survey.stop, vscode.l10n.t));
    }
    const text = (await vscode.workspace.openTextDocument(template)).getText();
    // The preview may still show an older text of the template.
    if (findTemplateErrors(parseTemplate(text), columns).length > 0) {
      throw new Error(vscode.l10n.t('{0} has errors. See its preview.', fileLabelOf(template)));
    }
    if (JSON.stringify(columns) !== before) {
      throw new Error(vscode.l10n.t('The columns of {0} have changed. Check the preview first.', fileLabelOf(rows)));
    }
    const { report: known } = preview;
    if (known !== undefined && known.badRequests + known.skippedRows > 0) {
      const { t } = vscode.l10n;
      const detail = t('Requests with errors: {0}. Rows left out: {1}.', count(known.badRequests), count(known.skippedRows));
      await confirmModal(t('Some rows have problems. Build anyway?'), detail, t('Build Anyway'));
    }
    const outPath = await askNewPath([rows], `${stemOf(rows)}.requests.jsonl`);
    const { format } = preview.survey;
    const rules = this.deps.rules.options(vscode.Uri.file(outPath));
    const title = vscode.l10n.t('Building requests from {0}', fileLabelOf(rows));
    const report = await this.rowsFiles.read(rows, rowsPath =>
      runJob(this.deps, title, 'buildRequests', { rowsPath, format, columns, template: text, rules, outPath }),
    );
    if (report.stop !== undefined) {
      throw new Error(toRowsProblem(fileLabelOf(rows), report.stop, vscode.l10n.t));
    }
    await this.showBuilt(vscode.Uri.file(outPath), rows, report);
  }

  private async showBuilt(uri: vscode.Uri, rows: vscode.Uri, report: BuildReport): Promise<void> {
    // Only the editor itself can open a file that is too large for extensions.
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false, viewColumn: vscode.ViewColumn.One });
    const create = createBatchOf(uri.fsPath);
    const built = vscode.l10n.t('Built {0} in {1}.', requestsOf(report.requestCount), fileLabelOf(uri));
    if (report.badRequests + report.skippedRows === 0) {
      offerActs(this.deps, built, [create]);
      return;
    }
    const parts = [
      built,
      ...(report.badRequests === 0 ? [] : [vscode.l10n.t('Requests with errors: {0}.', count(report.badRequests))]),
      ...(report.skippedRows === 0 ? [] : [vscode.l10n.t('Rows left out: {0}.', count(report.skippedRows))]),
    ];
    const show = { label: vscode.l10n.t('Show Report'), run: () => this.showReport(uri, rows, report) };
    offerActs(this.deps, parts.join(' '), [show, create], showWarning);
  }

  private async showReport(uri: vscode.Uri, rows: vscode.Uri, report: BuildReport): Promise<void> {
    const heading = vscode.l10n.t('{0}, built from {1}', fileLabelOf(uri), fileLabelOf(rows));
    const shown = toBuildReport(heading, report, vscode.l10n.t, vscode.env.language);
    await this.deps.reports.show(vscode.l10n.t('Build of {0}', fileLabelOf(uri)), rows, shown);
  }
}

/** Returns the text of a new template: the id from a column of ids, if any, and a message with the other columns. */
export function toTemplateText(survey: Pick<RowsSurvey, 'columns' | 'format'>): string {
  // A name with braces can't be a placeholder.
  const columns = survey.columns.filter(({ name }) => !/\{\{|\}\}/.test(name));
  const id =
    columns.find(({ name, isId }) => isId && /^(?:custom_?)?id$|_id$|\bid\b|key|uuid|slug|number|nr/i.test(name)) ??
    columns.find(({ isId }) => isId);
  const others = columns.filter(column => column !== id || columns.length === 1).slice(0, maxColumns);
  const [only] = others;
  const content =
    others.length === 1 && only !== undefined
      ? describeField(only.name, survey.format)
      : others.map(({ name }) => `${name}: ${describeField(name, survey.format)}`).join('\n');
  const request = {
    custom_id: id === undefined ? 'row-{{row}}' : `{{${id.name}}}`,
    params: {
      model: 'vendor-sonnet-5',
      max_tokens: 1024,
      messages: [{ role: 'user', content: content === '' ? 'Row {{row}}' : content }],
    },
  };
  return `${JSON.stringify(request, null, 2)}\n`;
}

/** Returns the placeholder of a column. Keys of JSON rows are optional. */
function describeField(name: string, format: RowsFormat): string {
  return format.kind === 'csv' ? `{{${name}}}` : `{{${name}?}}`;
}
