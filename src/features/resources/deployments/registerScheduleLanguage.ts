import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { whenOpened } from '../../../common/documents/whenOpened';
import { Lazy } from '../../../common/lazy';

const documents: vscode.DocumentFilter = { pattern: '**/*.deployment.json' };

/** Registers editor features for schedules in deployment documents. They load with the first such document. */
export function registerScheduleLanguage(): vscode.Disposable {
  const lensesChanged = new vscode.EventEmitter<void>();
  const language = new Lazy(async () => {
    const { ScheduleLanguage } = await import('./scheduleLanguage');
    return new ScheduleLanguage(documents, () => lensesChanged.fire());
  });
  const loadFor = (document: vscode.TextDocument) => {
    if (vscode.languages.match(documents, document) > 0) {
      void language.get();
    }
  };
  return combine(
    language,
    whenOpened(loadFor),
    lensesChanged,
    vscode.languages.registerHoverProvider(documents, {
      provideHover: async (document, position) => (await language.get()).provideHover(document, position),
    }),
    vscode.languages.registerInlayHintsProvider(documents, {
      provideInlayHints: async document => (await import('./scheduleLanguage')).toBudgetHints(document),
    }),
    vscode.languages.registerCodeLensProvider(documents, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async document => (await language.get()).provideCodeLenses(document),
    }),
  );
}
