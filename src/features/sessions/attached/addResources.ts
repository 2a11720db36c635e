import * as vscode from 'vscode';
import { dialects } from '../../../client/dialect';
import { ServiceError } from '../../../client/transport/errors';
import { showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { CancelledError } from '../../../common/cancellation';
import { describeError } from '../../../common/text/describeError';
import type { SessionReference } from '../../../contributions';
import type { LocalFile } from '../../../common/files/localFile';
import { toLabel } from '../../../shared/text';
import { askRepository } from '../attaching/askRepository';
import { nameOfRepository, type Repository, toRepositoryParams } from '../attaching/repositoryPresentation';
import { reachToChange, type SessionActionContext } from '../sessionActionContext';
import { askFolder, confirmUpload, pickFiles } from '../attaching/sessionFiles';
import { uploadAll } from '../attaching/uploadFiles';

/** Answers for a failed addition, which are the defaults of the next one. Kept in memory while the list of resources is open. */
export interface FailedAddition {
  files: readonly LocalFile[];
  readonly uploaded: Map<string, string>;
  repository: Repository | undefined;
}

/** Uploads files that the user chooses and mounts them in an existing session. Reports files that could not be mounted. */
export async function addFiles(deps: SessionActionContext, target: SessionReference, title: string, kept: FailedAddition): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reachToChange(deps, target);
  const files = await pickFiles(title, kept.files);
  if (files.length === 0) {
    throw new CancelledError();
  }
  const folder = await askFolder(title, '');
  await confirmUpload(connection, files, kept.uploaded);
  kept.files = files;
  let added = 0;
  try {
    await withProgress(t('Adding files to the session'), deps.lifetime, async (signal, report) => {
      const uploaded = await uploadAll(
        client,
        { files, folder },
        {
          signal,
          report,
          uploaded: kept.uploaded,
          describeUpload: ({ name }, number) => t('Sending {0} ({1} of {2})', toLabel(name, 60), number, files.length),
        },
      );
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
    kept.files = files.slice(added);
    void showWarning(t('{0} of {1} files were added. {2}', added, files.length, describeError(error)));
    return;
  }
  kept.files = [];
  vscode.window.setStatusBarMessage(t('Files added: {0}', files.length), 5000);
}

/** Mounts a repository in an existing session, if the service supports that. */
export async function addRepository(
  deps: SessionActionContext,
  target: SessionReference,
  title: string,
  kept: FailedAddition,
): Promise<void> {
  const { t } = vscode.l10n;
  const { connection, client } = await reachToChange(deps, target);
  const repository = await askRepository(title, kept.repository);
  kept.repository = repository;
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
  kept.repository = undefined;
  vscode.window.setStatusBarMessage(t('Added {0}', nameOfRepository(repository.url)), 5000);
}
