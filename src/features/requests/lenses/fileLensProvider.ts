import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import { describeSince } from '../../../common/text/presentation';
import { views } from '../../../contributions';
import { describeFacts } from '../../../jsonl/results/resultsSummary';
import type { Connections } from '../../connection';
import { toReference } from '../answers/answerRuns';
import type { DocumentAnswers } from '../answers/documentAnswers';
import { toRequestCount } from '../checking/problemsPresentation';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { firstLines, requestFileSelector } from '../documents/requestFile';
import { kindOfLines } from '../kinds/fileKinds';
import { type FileNotice, toFileNotice } from './fileNotice';

const topOfFile = new vscode.Range(0, 0, 0, 0);
const icons: Readonly<Record<FileNotice['act'], string>> = {
  showProblems: 'warning',
  showBatches: 'watch',
  fetch: 'cloud-download',
  sendAgain: 'redo',
  connect: 'plug',
};

/** Lenses on the first line: at most four for a request file, and one for other JSON Lines files. */
export class FileLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly documents: RequestDocuments,
    private readonly connections: Connections,
    private readonly answers: DocumentAnswers,
  ) {
    const refresh = () => this.changed.fire();
    this.subscriptions = combine(
      vscode.languages.registerCodeLensProvider(requestFileSelector, this),
      documents.onDidOpen(refresh),
      documents.onDidChange(refresh),
      documents.onDidClose(refresh),
      answers.onDidChange(refresh),
      connections.onDidChange(refresh),
      connections.served.onDidChange(refresh),
      onDidChangeSettings(['managedAgents.editor.codeLens', 'managedAgents.editor.problems', 'managedAgents.editor.answers'], refresh),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!readSetting('managedAgents.editor.codeLens', document)) {
      return [];
    }
    const file = this.documents.get(document);
    const commands = file === undefined ? toOtherCommands(document) : this.toCommands(file);
    return commands.map(command => new vscode.CodeLens(topOfFile, command));
  }

  private toCommands(file: OpenRequestFile): readonly vscode.Command[] {
    const { t } = vscode.l10n;
    const { uri } = file.document;
    return [
      this.createCommand(file),
      ...this.noticeCommands(file),
      ...this.resultCommands(file),
      { ...commandLink('managedAgents.fileActions.choose', t('More...'), uri), tooltip: t('More actions for this file') },
    ];
  }

  private createCommand({ document: { uri }, requests: { totals } }: OpenRequestFile): vscode.Command {
    const { t } = vscode.l10n;
    const { current, served } = this.connections;
    if (current !== undefined && served.has(current, 'batches') === false) {
      return commandLink('managedAgents.connection.switch', lensTitle('plug', t('This service has no batches')));
    }
    if (totals?.requests === 0) {
      return { title: t('No valid requests'), command: '' };
    }
    const title =
      totals === undefined ? t('Create Batch') : t('Create Batch ({0})', toRequestCount(totals.requests, t, vscode.env.language));
    return commandLink('managedAgents.batch.create', lensTitle('cloud-upload', title), uri);
  }

  private noticeCommands(file: OpenRequestFile): readonly vscode.Command[] {
    const { t } = vscode.l10n;
    const { document, requests } = file;
    if (requests.totals === undefined) {
      return [{ title: t('Checking…'), command: '' }];
    }
    const [pending] = this.answers.pending(file);
    const problems = readSetting('managedAgents.editor.problems', document) ? requests.totals.problemCounts : undefined;
    const notice = toFileNotice(
      { problems, pending, report: this.answers.shown(file)?.results.report, hasConnection: this.connections.current !== undefined },
      t,
      vscode.env.language,
    );
    if (notice === undefined) {
      return [];
    }
    const { act, words } = notice;
    const title = lensTitle(act === 'showProblems' && (problems?.error ?? 0) > 0 ? 'error' : icons[act], words);
    switch (act) {
      case 'showProblems':
        return [{ title, command: 'workbench.panel.markers.view.focus' }];
      case 'showBatches':
        return [{ title, command: `${views.batches}.focus` }];
      case 'fetch': {
        const batch = pending?.batchId === undefined ? undefined : { connection: pending.connection, batchId: pending.batchId };
        return [commandLink('managedAgents.batch.fetchResults', title, batch)];
      }
      case 'sendAgain':
        return [{ ...commandLink('managedAgents.retry.plan', title, document.uri), tooltip: t('Send these requests again') }];
      case 'connect':
        return [commandLink('managedAgents.connection.switch', title)];
    }
  }

  private resultCommands(file: OpenRequestFile): readonly vscode.Command[] {
    const { t } = vscode.l10n;
    const shown = this.answers.shown(file);
    if (shown === undefined) {
      return [];
    }
    const context = { translate: t, locale: vscode.env.language, now: Date.now() };
    const words = shown.isChosen === true ? t('Results of {0}', describeSince(shown.runs[0]?.startedAt, context)) : t('Results');
    const command = commandLink('managedAgents.results.show', lensTitle('table', words), toReference(shown));
    return [{ ...command, tooltip: describeFacts(shown.results.report, context) }];
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.changed.dispose();
  }
}

/** Returns the command for JSON Lines that are not requests of this service. */
function toOtherCommands(document: vscode.TextDocument): readonly vscode.Command[] {
  const { t } = vscode.l10n;
  const { uri } = document;
  switch (kindOfLines([...firstLines(document)])) {
    case 'results':
      return [commandLink('managedAgents.results.show', lensTitle('table', t('Results')), uri)];
    case 'otherForm':
      return [commandLink('managedAgents.file.convert', lensTitle('arrow-swap', t('Convert to Request File...')), uri)];
    case 'empty':
      return [commandLink('managedAgents.request.create', lensTitle('add', t('New Request')), uri)];
    default:
      return [];
  }
}
