import * as vscode from 'vscode';
import { setContextKey } from '../../../common/contextKeys';
import { combine } from '../../../common/disposables';
import { describeError } from '../../../common/text/describeError';
import { views } from '../../../contributions';
import { agents } from '../kinds/agents';
import { createFlow, createKindsView, type KindsView, type ResourcesDependencies, type ResourcesTreeView } from '../kindsView';
import type { ResourceFlow } from '../resourceFlow';
import { createResourcesTree } from '../resourcesTreeDataProvider';
import { PromptFiles } from './prompt/promptFiles';

export interface AgentsView extends KindsView {
  readonly prompts: PromptFiles;
}

/** Lists the agents of the current connection while `view` is visible, and owns their drafts and documents. */
export function createAgentsView(deps: ResourcesDependencies, view: ResourcesTreeView): AgentsView {
  const flow = createFlow(deps, view, { kinds: [agents], folder: 'agent-drafts', snapshotScheme: 'managed-agents-draft' });
  const { store, drafts, files, presentation } = flow;
  const tree = createResourcesTree({ store, drafts, context: presentation, isReady: () => true, isFlat: true });
  const prompts = new PromptFiles(files);
  const shown = createKindsView(deps, view, flow, tree, {
    viewId: views.agents,
    onRender: () => showBadge(view, flow),
    startOver: connection => connection !== undefined && void store.listOf(connection, agents).unfold(),
  });
  return { ...shown, prompts, dispose: () => combine(shown, prompts).dispose() };
}

/** Shows a message in the view if its rows may be outdated, and sets the context key for its state. */
function showBadge(view: ResourcesTreeView, { store, drafts }: ResourceFlow): void {
  const { connection } = store;
  const { state, problem } =
    connection === undefined ? { state: 'loading' as const, problem: undefined } : store.listOf(connection, agents).list;
  const isOld = problem !== undefined && state === 'filled';
  view.message = isOld ? vscode.l10n.t("Couldn't refresh: {0}", describeError(problem)) : undefined;
  const hasNew = connection !== undefined && drafts.of(connection).some(({ resourceId }) => resourceId === undefined);
  setContextKey('managedAgents.agentsState', hasNew ? 'filled' : state);
}
