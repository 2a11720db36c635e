import * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { registerDocumentFileSystem } from '../../common/documents/documentFileSystem';
import { whenMatching } from '../../common/documents/whenOpened';
import { Lazy } from '../../common/lazy';
import { createNodeTreeView } from '../../common/tree/createNodeTreeView';
import { type KindVerb, kindVerbs, views } from '../../contributions';
import { registerDraftLenses, registerLenses, registerMemoryLenses } from './documents/draftLenses';
import type { ResourceArea, ResourceTarget } from './kindCommands';
import type { ResourcesDependencies } from './kindsView';
import type { ResourceFlow } from './resourceFlow';
import type { ResourcesNode } from './resourcesTreeDataProvider';
import type { SkillEditing } from './skills/skillEditing';

export { agentOfDocument, registerAgents } from './agents';

/** Loads the questions about secrets. */
export const loadSecretQuestions = () => import('./vaults/credentialQuestions');

const requests = { language: 'jsonl' };

const resourceAreas: readonly ResourceArea[] = ['resources', 'deployment', 'memoryStore', 'memory', 'serviceFile', 'work', 'credential'];

/** Registers the Resources view, resource documents, and their commands. Their implementation loads with the first use. */
export function registerResources(deps: ResourcesDependencies): vscode.Disposable {
  const language = () => import('./serviceFiles/fileIdLanguage');
  const dragging = () => import('./serviceFiles/fileDragAndDrop');
  const resources = new Lazy(async () => {
    const { createResourcesView } = await import('./resourcesView');
    const created = createResourcesView(deps, view);
    shown.follow(created.tree);
    return created;
  });
  const shown = createNodeTreeView<ResourcesNode>(views.resources, async () => (await resources.get()).tree, {
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: {
      dragMimeTypes: ['text/plain'],
      dropMimeTypes: ['files', 'text/uri-list'],
      handleDrag: async (nodes, data) => (await dragging()).dragIds(nodes, data),
      handleDrop: async (_, data) => (await dragging()).dropFiles(data),
    },
  });
  const { view } = shown;
  const desk = new Lazy(async () => new (await import('./webhooks/webhookDesk')).WebhookDesk(await resources.get(), deps.context));
  const skills = registerSkills(deps, async () => (await resources.get()).flow);
  const loadKinds = () => import('./kindCommands');
  deps.commands.kinds.register({
    // Links exist only for sessions, agents and batches.
    verbs: kindVerbs.filter((verb): verb is Exclude<KindVerb, 'copyLink'> => verb !== 'copyLink'),
    owns: isResourceTarget,
    isVisible: () => view.visible,
    kinds: async verb => (await loadKinds()).kindChoices(verb),
    handlers: async () =>
      (await loadKinds()).createResourceKindHandlers({
        view: await resources.get(),
        state: deps.context.globalState,
        desk: () => desk.get(),
        skills: () => skills.editing.get(),
      }),
  });
  return combine(
    shown,
    vscode.languages.registerHoverProvider(requests, {
      provideHover: async (document, position) => (await language()).hoverOfFileId(() => resources.get(), document, position),
    }),
    vscode.languages.registerCodeActionsProvider(requests, {
      provideCodeActions: async (document, range) =>
        range instanceof vscode.Selection ? (await language()).actionsOfFileId(() => resources.get(), document, range) : [],
    }),
    registerScheduleLanguage(),
    registerDraftLenses(['managed-agents-resource'], async () => (await resources.get()).flow.files),
    registerMemoryLenses('managed-agents-memory'),
    registerDocumentFileSystem('managed-agents-resource', async () => (await resources.get()).flow.files),
    registerDocumentFileSystem('managed-agents-memory', async () => (await resources.get()).flow.memories),
    deps.commands.registerAreas(resourceAreas, async () =>
      (await import('./kindCommands')).createResourceCommands(await resources.get(), deps.context.globalState),
    ),
    deps.commands.registerAreas(['webhook', 'delivery'], async () => (await desk.get()).commands),
    desk,
    skills,
    resources,
  );
}

/** Returns whether a command's argument is a resource: a reference, a document, or a file that the command accepts. */
function isResourceTarget(target: unknown, verb: KindVerb): target is ResourceTarget {
  if (target instanceof vscode.Uri) {
    const { scheme, path } = target;
    return (
      scheme === 'managed-agents-resource' ||
      (scheme === 'managed-agents-memory' && verb === 'rename') ||
      (verb === 'compare' && path.endsWith('/SKILL.md')) ||
      (verb === 'createFromFile' && /\.(?:environment|deployment|vault|memoryStore)\.json$/.test(path))
    );
  }
  const { kind } = (target ?? {}) as { readonly kind?: unknown };
  return typeof target === 'string' || typeof kind === 'string';
}

const documents: vscode.DocumentFilter = { pattern: '**/*.deployment.json' };

/** Registers editor features for schedules in deployment documents. They load with the first such document. */
function registerScheduleLanguage(): vscode.Disposable {
  const load = () => import('./deployments/scheduleLanguage');
  const lenses = registerLenses(documents, async document => (await load()).toLenses(document));
  const following = new Lazy(async () => (await load()).followSchedules(documents, lenses.refresh));
  return combine(
    following,
    whenMatching(documents, () => void following.get()),
    lenses,
    vscode.languages.registerHoverProvider(documents, {
      provideHover: async (document, position) => (await load()).toHover(document, position),
    }),
    vscode.languages.registerInlayHintsProvider(documents, {
      provideInlayHints: async document => (await load()).toBudgetHints(document),
    }),
  );
}

const manifests: vscode.DocumentFilter = { scheme: 'file', pattern: '**/SKILL.md' };

/** Registers editor features for folders with a `SKILL.md`. They load when the first `SKILL.md` is opened. */
function registerSkills(
  { commands, log, context }: ResourcesDependencies,
  flow: () => Promise<ResourceFlow>,
): vscode.Disposable & { readonly editing: Lazy<SkillEditing> } {
  const editing = new Lazy<SkillEditing>(async () => {
    const { SkillEditing: Editing } = await import('./skills/skillEditing');
    return new Editing(await flow(), context.workspaceState, () => lenses.refresh());
  });
  const lenses = registerLenses(manifests, async document => (await editing.get()).lenses(document));
  const registered = combine(
    lenses,
    whenMatching(manifests, () => void editing.get().catch(error => log.error('Skills cannot be checked', error))),
    commands.registerAreas(['skill'], async () => (await editing.get()).commands),
    editing,
  );
  return { editing, dispose: () => registered.dispose() };
}
