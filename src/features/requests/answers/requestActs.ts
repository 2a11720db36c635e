import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { requestFileSelector } from '../documents/requestFile';
import { toReference } from './answerRuns';
import type { DocumentAnswers } from './documentAnswers';

const kind = vscode.CodeActionKind.Empty.append('managedAgents');

/** Returns the actions for a request and its answer on a line. Empty if the line is not a request. */
export async function requestActs(file: OpenRequestFile, line: number, answers: DocumentAnswers): Promise<readonly vscode.Command[]> {
  const { t } = vscode.l10n;
  const { uri, version } = file.document;
  const lineKind = file.checker?.lineInfo(line)?.kind;
  if (lineKind !== 'request' && lineKind !== 'params') {
    return [];
  }
  const answer = await answers.of(file)?.answerAt(line);
  const shown = answers.of(file)?.shown;
  return [
    commandLink('managedAgents.request.run', t('Run This Request'), uri, line, version),
    commandLink('managedAgents.request.edit', t('Edit Request'), uri, line, version),
    ...(answer?.entry === undefined || shown === undefined
      ? []
      : [
          commandLink('managedAgents.answer.open', t('Open Answer'), uri, line, version),
          commandLink('managedAgents.results.show', t('Show in Results'), toReference(shown), answer.id),
        ]),
  ];
}

/** Offers the actions for a request in the light bulb of its line. */
export function registerRequestActs(documents: RequestDocuments, answers: DocumentAnswers): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: async (document, range, { only, triggerKind }) => {
      const file = documents.get(document);
      if (file === undefined || !range.isSingleLine || only?.contains(kind) === false) {
        return [];
      }
      const { line } = range.start;
      // The gutter shows the mark of the answer, so VS Code would place the light bulb over the text.
      if (triggerKind === vscode.CodeActionTriggerKind.Automatic && (await answers.of(file)?.answerAt(line)) !== undefined) {
        return [];
      }
      return (await requestActs(file, line, answers)).map(command => {
        const action = new vscode.CodeAction(command.title, kind);
        action.command = command;
        return action;
      });
    },
  };
  return vscode.languages.registerCodeActionsProvider(requestFileSelector, provider, { providedCodeActionKinds: [kind] });
}
