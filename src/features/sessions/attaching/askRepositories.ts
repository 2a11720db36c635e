import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import { askRepository } from './askRepository';
import { editList } from './editList';
import { describeRepository, type Repository } from './repositoryPresentation';

/** Maximum number of repositories. The service allows at most 500 resources of all kinds per session (API facts, section 7). */
const mostRepositories = 100;

/** Shows a list in which the user adds, edits and removes repositories. The result contains their tokens, which are not stored. */
export async function askRepositories(title: string, before: readonly Repository[]): Promise<readonly Repository[]> {
  const { t } = vscode.l10n;
  return await editList<Repository>(
    {
      title,
      placeholder: t('Repositories'),
      most: mostRepositories,
      row: repository => ({
        label: `$(repo) ${withoutIcons(toLabel(repository.url, 100))}`,
        description: describeRepository(repository, t),
      }),
      ways: [{ label: `$(add) ${t('Add a Repository...')}`, ask: async () => [await askRepository(title)] }],
      change: async repository => {
        const act = await askChoice<'change' | 'remove'>({
          title,
          placeholder: toLabel(repository.url, 100),
          choices: [
            { label: `$(edit) ${t('Change...')}`, value: 'change' },
            { label: `$(close) ${t('Remove from the List')}`, value: 'remove' },
          ],
        });
        return act === 'change' ? await askRepository(title, repository) : undefined;
      },
    },
    before,
  );
}
