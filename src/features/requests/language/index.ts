import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { requestFileSelector } from '../documents/requestFile';
import { requestScheme } from '../documents/requestUri';
import type { EditingDependencies } from '../editingDependencies';
import { readRequestSchema } from './readRequestSchema';
import { registerSymbols } from './registerSymbols';
import { completionTriggers, RequestCompletionProvider } from './requestCompletionProvider';
import { RequestDropProvider } from './requestDropProvider';
import { RequestHoverProvider } from './requestHoverProvider';
import { RequestIdRenameProvider } from './requestIdRenameProvider';
import { RequestSelectionProvider } from './requestSelectionProvider';

/** Registers completion, hovers, symbols, structural selection and renaming of ids in request files. */
export function registerLanguage(deps: EditingDependencies): vscode.Disposable {
  const { documents, rules, log, context } = deps;
  const schema = readRequestSchema(context.extensionUri);
  schema.catch(error => log.error('The schema of requests could not be read', error));
  const { languages } = vscode;
  return combine(
    languages.registerCompletionItemProvider(
      requestFileSelector,
      new RequestCompletionProvider(documents, rules, schema),
      ...completionTriggers,
    ),
    languages.registerHoverProvider(requestFileSelector, new RequestHoverProvider(deps, schema)),
    registerSymbols(documents),
    languages.registerSelectionRangeProvider(requestFileSelector, new RequestSelectionProvider(documents)),
    languages.registerRenameProvider(requestFileSelector, new RequestIdRenameProvider(documents)),
    languages.registerDocumentDropEditProvider([...requestFileSelector, { scheme: requestScheme }], new RequestDropProvider(), {
      dropMimeTypes: ['text/uri-list'],
    }),
  );
}
