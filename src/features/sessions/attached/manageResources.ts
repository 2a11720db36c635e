import * as vscode from 'vscode';
import { dialects } from '../../../client/dialect';
import { ServiceError } from '../../../client/transport/errors';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { confirmModal } from '../../../common/asking/confirmChange';
import { showFailure, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { CancelledError, isCancellation } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import type { LocalFile } from '../../../common/files/localFile';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { SessionReference } from '../../../contributions';
import { reach } from '../../connection';
import { askRepository, askToken, nameOfRepository, type Repository, toRepositoryParams } from '../attaching/askRepository';
import { askFolder, confirmUpload, pickFiles, uploadAll } from '../attaching/sessionFiles';
import { describeSession, reachToChange, type SessionActionContext } from '../sessionActionContext';
import { type Belonging, isChangeable, readBelongings, toBelongings } from './attachedPresentation';

type Chosen = 'addFiles' | 'addRepository' | { readonly belonging: Belonging };

/**
 * Shows the resources of a session in a picker that reopens after each act. The user can add, change, remove, open and download them. It
 * uses pickers instead of a webview, because neither local file paths nor secrets may pass through a webview.
 */
export async function manageResources(deps: SessionActionContext, target: SessionReference): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Resources of "{0}"', describeSession(deps, target));
  const failed: FailedAddition = { files: [], uploaded: new Map(), repository: undefined };
  for (;;) {
    const { client } = await reach(deps.connections, target.connection, 'read');
    const belongings = await withProgress(t('Reading the session'), deps.lifetime, signal =>
      readBelongings(client, target.sessionId, signal),
    );
    const all = toBelongings(belongings, t, vscode.env.language);
    const canChange = isChangeable(belongings.session);
    const chosen = await askChoice<Chosen>({
      title,
      placeholder: canChange ? t('Resources') : t('The session has ended.'),
      choices: choicesOf(all, canChange),
    });
    try {
      if (chosen === 'addFiles') {
        await addFiles(deps, target, title, failed);
      } else if (chosen === 'addRepository') {
        await addRepository(deps, target, title, failed);
      } else if (!(await actOn(deps, target, chosen.belonging))) {
        return;
      }
    } catch (error) {
      if (!isCancellation(error)) {
        deps.log.error('The resources of a session could not be changed', error);
        void showFailure(describeError(error));
      }
    }
    deps.panels.refresh(target);
  }
}

type Act = 'open' | 'download' | 'rotate' | 'copyId' | 'copyPath' | 'remove';

/** Runs an act on a resource. Returns whether to show the list again. */
async function actOn(deps: SessionActionContext, target: SessionReference, belonging: Belonging): Promise<boolean> {
  const { id = '', resourceId = '', path, label } = belonging;
  const chosen = await askChoice<Act>({
    title: belonging.description === '' ? label : `${label} · ${belonging.description}`,
    placeholder: vscode.l10n.t('Select an action for {0}', label),
    choices: actsOn(belonging),
  });
  const file = { connection: target.connection, kind: 'file', id };
  switch (chosen) {
    case 'open':
      await runCommand('managedAgents.open', file);
      return false;
    case 'download':
      await runCommand('managedAgents.serviceFile.download', file);
      return false;
    case 'rotate':
      await rotateToken(deps, target, resourceId, label);
      return true;
    case 'remove':
      await removeResource(deps, target, resourceId, label);
      return true;
    default:
      await vscode.env.clipboard.writeText(chosen === 'copyPath' ? path : id);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 3000);
      return false;
  }
}

function actsOn({ kind, id, resourceId, path, isReadable }: Belonging): readonly Choice<Act>[] {
  const { t } = vscode.l10n;
  const acts: readonly (readonly [has: boolean, label: string, act: Act])[] = [
    [isReadable, `$(go-to-file) ${t('Open')}`, 'open'],
    [isReadable, `$(cloud-download) ${t('Download...')}`, 'download'],
    [kind === 'repository' && resourceId !== undefined, `$(key) ${t('Rotate Token...')}`, 'rotate'],
    [id !== undefined, `$(copy) ${kind === 'repository' ? t('Copy Address') : t('Copy ID')}`, 'copyId'],
    [path !== '', `$(copy) ${t('Copy Path in the Session')}`, 'copyPath'],
    [resourceId !== undefined, `$(trash) ${t('Remove from the Session...')}`, 'remove'],
  ];
  return acts.flatMap(([has, label, value]) => (has ? [{ label, value }] : []));
}

function choicesOf(all: readonly Belonging[], canChange: boolean): readonly Choice<Chosen>[] {
  const { t } = vscode.l10n;
  const titles: Readonly<Record<Belonging['kind'], string>> = {
    file: t('Files'),
    repository: t('Repositories'),
    memoryStore: t('Memory Stores'),
    vault: t('Vaults'),
    other: t('Others'),
    created: t('Created by Sessions'),
  };
  const adding: readonly Choice<Chosen>[] = canChange
    ? [
        { label: `$(file-add) ${t('Add Files...')}`, alwaysShow: true, value: 'addFiles' },
        { label: `$(repo) ${t('Add a Repository...')}`, alwaysShow: true, value: 'addRepository' },
      ]
    : [];
  const rows = all.flatMap((belonging, at): readonly Choice<Chosen>[] => [
    ...(all[at - 1]?.kind === belonging.kind ? [] : [separator(titles[belonging.kind])]),
    {
      label: `$(${icons[belonging.kind]}) ${withoutIcons(belonging.label)}`,
      description: withoutIcons(belonging.description),
      value: { belonging },
    },
  ]);
  return [...adding, ...(rows.length > 0 ? rows : [separator(t('None'))])];
}

const icons: Readonly<Record<Belonging['kind'], string>> = {
  file: 'file',
  repository: 'repo',
  memoryStore: 'database',
  vault: 'lock',
  other: 'package',
  created: 'output',
};

/** Removes a resource from a session, after asking. */
async function removeResource(deps: SessionActionContext, target: SessionReference, resourceId: string, label: string): Promise<void> {
  const { t } = vscode.l10n;
  const { client } = await reachToChange(deps, target);
  const question = t('Remove {0} from "{1}"?', label, describeSession(deps, target));
  await confirmModal(question, t('The agent can no longer use it.'), t('Remove'));
  await client.sessions.removeResource(target.sessionId, resourceId, { signal: deps.lifetime });
  vscode.window.setStatusBarMessage(t('Removed {0}', label), 5000);
}

/** Replaces the token of a repository in a session. The new token is only sent to the service. */
async function rotateToken(deps: SessionActionContext, target: SessionReference, resourceId: string, label: string): Promise<void> {
  const { t } = vscode.l10n;
  const { client } = await reachToChange(deps, target);
  const token = await askToken(t('New Token for {0}', label));
  await client.sessions.rotateToken(target.sessionId, resourceId, token, { signal: deps.lifetime });
  vscode.window.setStatusBarMessage(t('Token for {0} changed', label), 5000);
}

/** Input of a failed addition. Prefills the next attempt while the list of resources is open. */
interface FailedAddition {
  files: readonly LocalFile[];
  readonly uploaded: Map<string, string>;
  repository: Repository | undefined;
}

async function addFiles(deps: SessionActionContext, target: SessionReference, title: string, failed: FailedAddition): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reachToChange(deps, target);
  const files = await pickFiles(title, failed.files);
  if (files.length === 0) {
    throw new CancelledError();
  }
  const folder = await askFolder(title, '');
  await confirmUpload(connection, files, failed.uploaded);
  failed.files = files;
  let added = 0;
  try {
    await withProgress(t('Adding files to the session'), deps.lifetime, async (signal, report) => {
      const uploaded = await uploadAll(client, { files, folder }, { signal, report, uploaded: failed.uploaded });
      if (uploaded === undefined) {
        throw new Error(t("This service doesn't support files."));
      }
      for (const resource of uploaded) {
        await client.sessions.addResource(target.sessionId, resource, { signal });
        added++;
      }
    });
  } catch (error) {
    if (added === 0) {
      throw error;
    }
    failed.files = files.slice(added);
    void showWarning(t('{0} of {1} files were added. {2}', added, files.length, describeError(error)));
    return;
  }
  failed.files = [];
  vscode.window.setStatusBarMessage(t('Files added: {0}', files.length), 5000);
}

async function addRepository(deps: SessionActionContext, target: SessionReference, title: string, failed: FailedAddition): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reachToChange(deps, target);
  const repository = await askRepository(title, failed.repository);
  failed.repository = repository;
  const params = toRepositoryParams(repository, dialects[connection.dialect].repositoryType);
  try {
    await withProgress(t('Adding a repository to the session'), deps.lifetime, signal =>
      client.sessions.addResource(target.sessionId, params, { signal }),
    );
  } catch (error) {
    if (error instanceof ServiceError && error.status === 400) {
      const words = t('The repository was not added. {0}', describeError(error));
      throw new Error(words, { cause: error });
    }
    throw error;
  }
  failed.repository = undefined;
  vscode.window.setStatusBarMessage(t('Added {0}', nameOfRepository(repository.url)), 5000);
}
