import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { whenOpened } from '../../../common/documents/whenOpened';
import { Lazy } from '../../../common/lazy';
import { registerLenses } from '../documents/draftLenses';

const documents: vscode.DocumentFilter = { pattern: '**/*.deployment.json' };

/** Registers editor features for schedules in deployment documents. They load with the first such document. */
export function registerScheduleLanguage(): vscode.Disposable {
  const load = () => import('./scheduleLanguage');
  const lenses = registerLenses(documents, async document => (await load()).toLenses(document));
  const following = new Lazy(async () => (await load()).followSchedules(documents, lenses.refresh));
  const follow = (document: vscode.TextDocument) => {
    if (vscode.languages.match(documents, document) > 0) {
      void following.get();
    }
  };
  return combine(
    following,
    whenOpened(follow),
    lenses,
    vscode.languages.registerHoverProvider(documents, {
      provideHover: async (document, position) => (await load()).toHover(document, position),
    }),
    vscode.languages.registerInlayHintsProvider(documents, {
      provideInlayHints: async document => (await load()).toBudgetHints(document),
    }),
  );
}
