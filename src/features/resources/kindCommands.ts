import * as vscode from 'vscode';
import type { Choice } from '../../common/asking/askSteps';
import type { AreaHandlers } from '../../common/commands';
import type { GroupReference, KindVerb, Reference } from '../../contributions';
import { compareDraft, createFromFile, createResource, discardDraft, publishResource } from './draftActs';
import { kinds, resourceKinds } from './kinds';
import { credentials } from './kinds/credentials';
import { files } from './kinds/files';
import { memories } from './kinds/memoryStores';
import { skills } from './kinds/skills';
import { vaults } from './kinds/vaults';
import { webhooks } from './kinds/webhooks';
import { copyIdsOf, openResource, runAct, showJson, showPage } from './resourceActs';
import { type ActName, isReference, type ResourceKind } from './resourceKind';
import type { ResourcesView } from './resourcesView';
import type { SkillEditing } from './skills/skillEditing';
import type { WebhookDesk } from './webhooks/webhookDesk';

/** Argument of a command: a row, a reference, a document, or the name of a kind. */
export type ResourceTarget = Reference | GroupReference | vscode.Uri | string;

interface Parts {
  readonly view: ResourcesView;
  readonly state: vscode.Memento;
  desk(): Promise<WebhookDesk>;
  skills(): Promise<SkillEditing>;
}

/** Creates the handlers of the commands that apply to every kind of resource. */
export function createResourceKindHandlers({ view, state, desk, skills: editing }: Parts) {
  const { flow } = view;
  const newMemory = async (target?: Reference) => (await import('./memories/openMemory')).newMemory(flow, target);
  const addCredential = async (target?: Reference) => (await import('./vaults/askCredential')).addCredential(flow, target);
  const creating: Readonly<Record<string, () => Promise<void>>> = {
    [webhooks.kind]: async () => (await desk()).create(),
    [skills.kind]: async () => (await import('./skills/uploadSkill')).uploadNewSkill(await editing(), undefined),
    [files.kind]: async () => (await import('./serviceFiles/uploadFiles')).uploadFiles(flow, state, undefined),
    [memories.kind]: newMemory,
    [credentials.kind]: addCredential,
  };
  const create = (kind: string) => creating[kind]?.() ?? createResource(flow, kind);
  return {
    open: (target?: ResourceTarget) => openResource(flow, target),
    showDetails: (target?: ResourceTarget) => showPage(flow, target),
    showJson: (target?: ResourceTarget) => showJson(flow, target),
    copyId: (target?: ResourceTarget, selected?: readonly ResourceTarget[]) => copyIdsOf(flow, target, selected),
    rename: async (target?: ResourceTarget) =>
      (await import('./memories/openMemory')).renameMemory(flow, target instanceof vscode.Uri || isReference(target) ? target : undefined),
    edit: async (target?: ResourceTarget) =>
      kindIn(target) === webhooks.kind
        ? (await import('./webhooks/webhookFlow')).editWebhook(flow, target)
        : (await import('./vaults/changeCredential')).editCredential(flow, target),
    publish: (target?: ResourceTarget) => publishResource(flow, target),
    compare: async (target?: ResourceTarget) =>
      kindIn(target) === skills.kind
        ? (await editing()).compare(target instanceof vscode.Uri || isReference(target) ? target : undefined)
        : compareDraft(flow, target),
    discardDraft: (target?: ResourceTarget) => discardDraft(flow, target),
    archive: (target?: ResourceTarget) => runAct(flow, 'archive', target),
    delete: (target?: ResourceTarget) => runAct(flow, 'delete', target),
    create: (target?: ResourceTarget) => create(kindIn(target)),
    createIn: (target?: ResourceTarget) => {
      if (!isReference(target)) {
        return create(kindIn(target));
      }
      return target.kind === vaults.kind ? addCredential(target) : newMemory(target);
    },
    createFromFile: (target?: ResourceTarget) => createFromFile(flow, kindIn(target), target instanceof vscode.Uri ? target : undefined),
    refresh: () => view.refresh(),
    toggleArchived: () => view.toggleArchived(),
  };
}

/** Returns the kinds that a command applies to, for the user to choose from. */
export function kindChoices(verb: KindVerb): readonly Choice<string>[] {
  const { t } = vscode.l10n;
  const documented = kinds.filter(({ definition }) => definition !== undefined);
  const having = (act: ActName) => resourceKinds.filter(({ acts }) => acts?.[act] !== undefined);
  const some: Partial<Record<KindVerb, readonly ResourceKind[]>> = {
    ...{ open: [...kinds, memories], create: [...kinds, credentials, memories], compare: [...documented, skills] },
    ...{ publish: documented, discardDraft: documented, createFromFile: documented },
    ...{ rename: [memories], edit: [webhooks, credentials], archive: having('archive'), delete: having('delete') },
  };
  return (some[verb] ?? kinds).map(kind => ({ label: `$(${kind.icon}) ${kind.title(t)}`, value: kind.kind }));
}

/** Returns the kind of a row, the kind for a file extension, or the argument itself if it is the name of a kind. */
function kindIn(target: ResourceTarget | undefined): string {
  if (target instanceof vscode.Uri) {
    return target.path.endsWith('/SKILL.md') ? skills.kind : (/\.(\w+)\.json$/.exec(target.path)?.[1] ?? '');
  }
  return typeof target === 'object' ? target.kind : (target ?? '');
}

export type ResourceArea = 'resources' | 'deployment' | 'memoryStore' | 'memory' | 'serviceFile' | 'work' | 'credential';

/** Returns the handlers of commands that only some kinds of resources have. */
export function createResourceCommands(view: ResourcesView, state: vscode.Memento): AreaHandlers<ResourceArea> {
  const { flow } = view;
  const files = () => import('./serviceFiles/readFile');
  const credentials = () => import('./vaults/changeCredential');
  return {
    'managedAgents.resources.loadMore': group => view.loadMore(group),
    'managedAgents.deployment.create': async session =>
      session && (await import('./deployments/makeDeployment')).makeDeployment(flow, session),
    'managedAgents.deployment.pause': target => runAct(flow, 'pause', target),
    'managedAgents.deployment.unpause': target => runAct(flow, 'unpause', target),
    'managedAgents.deployment.run': async target => (await import('./deployments/makeDeployment')).runDeployment(flow, target),
    'managedAgents.deployment.clearMissed': target => view.clearMissed(target),
    'managedAgents.memoryStore.search': async target => (await import('./memories/searchMemories')).searchMemories(flow, target),
    'managedAgents.memoryStore.syncFolder': async target => (await import('./memories/folders/syncFolder')).syncFolder(flow, target),
    'managedAgents.memory.showVersions': async target => (await import('./memories/showVersions')).showVersions(flow, target),
    'managedAgents.serviceFile.upload': async (file, selected) =>
      (await import('./serviceFiles/uploadFiles')).uploadFiles(flow, state, file instanceof vscode.Uri ? (selected ?? [file]) : undefined),
    'managedAgents.serviceFile.download': async target => (await files()).downloadServiceFile(flow, target),
    'managedAgents.serviceFile.insertId': async target => (await files()).insertFileId(flow, target),
    'managedAgents.work.stop': target => runAct(flow, 'stop', target),
    'managedAgents.credential.rotate': async target => (await credentials()).rotateCredential(flow, target),
    'managedAgents.credential.validate': async target => (await credentials()).validateCredential(flow, target),
    'managedAgents.credential.fix': async need => (await import('./vaults/changeCredential')).fixCredential(flow, need),
  };
}
