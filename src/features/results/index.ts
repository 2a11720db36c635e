import * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { Lazy } from '../../common/lazy';
import type { ComparedReference } from '../../shared/comparison/comparisonProtocol';
import { menuActs } from '../../shared/results/resultsProtocol';
import type { ResultsDependencies } from './resultsPanels';
import type { ResultsTarget } from './shownResults';

/** Registers the commands and panels for fetched results: tables, exports and comparisons. Most code is loaded on first use. */
export function registerResults(deps: ResultsDependencies): vscode.Disposable {
  const { commands, registry } = deps;
  const documents = new ReadonlyDocuments('managed-agents-results');
  const lifetime = new AbortController();
  const ending = { ...deps, documents, lifetime: lifetime.signal };
  const showRun = async (run: ComparedReference, customId: string): Promise<void> => (await panels.get()).show(run, { customId });
  const comparing = () => import('./comparing/compareCommand');
  const compareShown = async (target: ResultsTarget): Promise<void> => (await comparing()).compareResults({ ...ending, showRun }, target);
  const shared = { ...deps, compareShown };
  const panels = new Lazy(async () => new (await import('./resultsPanels')).ResultsPanels(shared, documents));
  return combine(
    { dispose: () => lifetime.abort() },
    documents,
    panels,
    vscode.window.registerWebviewPanelSerializer('managedAgents.results', {
      deserializeWebviewPanel: async (panel, state) => (await panels.get()).restore(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer('managedAgents.comparison', {
      deserializeWebviewPanel: async (panel, state) => (await comparing()).restoreComparison({ ...ending, showRun }, panel, state),
    }),
    commands.register('managedAgents.results.show', async (target, customId, query) =>
      (await import('./resultsPanels')).showResults({ registry, panels: await panels.get() }, target, { customId, query }),
    ),
    commands.register('managedAgents.requests.showTable', async file =>
      (await import('./resultsPanels')).showRequests(await panels.get(), file),
    ),
    ...menuActs.map(act => commands.register(`managedAgents.resultRow.${act}`, async () => (await panels.get()).act(act))),
    commands.register('managedAgents.results.export', async target =>
      (await import('./exporting/exportRows')).exportResults(ending, target),
    ),
    commands.register('managedAgents.results.compare', compareShown),
  );
}
