import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { whenOpened } from '../../../common/documents/whenOpened';
import { Lazy } from '../../../common/lazy';

const documents: vscode.DocumentFilter = { pattern: '**/*.deployment.json' };

/** Registers editor features for schedules in deployment documents. They load with the first such document. */
export function registerScheduleLanguage(): vscode.Disposable {
  const lensesChanged = new vscode.EventEmitter<void>();
  const load = () => import('./scheduleLanguage');
  const following = new Lazy(async () => (await load()).followSchedules(documents, () => lensesChanged.fire()));
  const follow = (document: vscode.TextDocument) => {
    if (vscode.languages.match(documents, document) > 0) {
      void following.get();
    }
  };
  return combine(
    following,
    whenOpened(follow),
    lensesChanged,
    vscode.languages.registerHoverProvider(documents, {
      provideHover: async (document, position) => (await load()).toHover(document, position),
    }),
    vscode.languages.registerInlayHintsProvider(documents, {
      provideInlayHints: async document => (await load()).toBudgetHints(document),
    }),
    vscode.languages.registerCodeLensProvider(documents, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async document => (await load()).toLenses(document),
    }),
  );
}
