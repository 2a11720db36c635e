import * as vscode from 'vscode';
import type { Translate } from '../../../common/text/translate';
import { reviewCount } from '../../../jsonl/results/resultsReport';
import { toLabel } from '../../../shared/text';
import type { Connections } from '../../connection';
import type { SubmissionRegistry } from '../../ledger';
import type { DocumentAnswers } from '../answers/documentAnswers';
import { countProblems } from '../checking/problemsPresentation';
import type { RequestDocuments } from '../documents/requestDocuments';
import { toFileName } from '../documents/requestFile';
import { findFile } from '../documents/requestPlace';
import { type FileActionSection, fileActions } from './fileActions';

/** Parts that the command needs. */
export interface FileActionParts {
  readonly documents: RequestDocuments;
  readonly answers: DocumentAnswers;
  readonly registry: Pick<SubmissionRegistry, 'findBySource'>;
  readonly connections: Pick<Connections, 'current' | 'served'>;
  /** Of this extension, as VS Code holds it: titles in the language of the user. */
  readonly manifest: unknown;
}

interface ActionItem extends vscode.QuickPickItem {
  readonly command?: string;
}

/** The command that lists what can be done with a request file as it stands, and does what is chosen. */
export async function chooseFileAction(parts: FileActionParts, uri: vscode.Uri | undefined): Promise<void> {
  const { documents, answers, registry, manifest } = parts;
  const { current, served } = parts.connections;
  const { t } = vscode.l10n;
  const file = findFile(documents, uri);
  const report = answers.shown(file)?.results.report;
  const { totals } = file.requests;
  const actions = fileActions({
    hasRuns: registry.findBySource(file.document.uri.toString()).length > 0,
    hasResults: report !== undefined,
    needReview: report === undefined ? 0 : reviewCount(report),
    hasBatches: current === undefined || served.has(current, 'batches') !== false,
    problems: totals === undefined ? 0 : countProblems(totals.problemCounts),
  });
  const items: ActionItem[] = [];
  let section: FileActionSection | undefined;
  for (const { command, icon, section: own } of actions) {
    if (own !== section) {
      items.push({ label: toSectionLabel(own, t), kind: vscode.QuickPickItemKind.Separator });
      section = own;
    }
    const isConnection = command === 'managedAgents.connection.switch';
    items.push({
      label: `$(${icon}) ${titleOf(manifest, command)}`,
      ...(isConnection && { description: toLabel(current?.name ?? t('No connection'), 60) }),
      command,
    });
  }
  const placeHolder = t('What to do with {0}?', toLabel(toFileName(file.document.uri), 80));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  if (chosen?.command !== undefined) {
    await vscode.commands.executeCommand(chosen.command, file.document.uri);
  }
}

function toSectionLabel(section: FileActionSection, t: Translate): string {
  switch (section) {
    case 'results':
      return t('Runs and results');
    case 'send':
      return t('Send');
    case 'file':
      return t('File');
    case 'view':
      return t('View');
  }
}

/** The title of a command as the palette shows it. VS Code hands out a translated one together with its original. */
function titleOf(manifest: unknown, command: string): string {
  const { contributes } = manifest as { readonly contributes: { readonly commands: readonly ManifestCommand[] } };
  const title = contributes.commands.find(other => other.command === command)?.title;
  return typeof title === 'object' ? title.value : (title ?? command);
}

interface ManifestCommand {
  readonly command: string;
  readonly title: string | { readonly value: string };
}
