import process from 'node:process';
import * as vscode from 'vscode';
import type { RepositoryCheckout } from '../../../client/schemas/sessionParams';
import { askChoice, askText, runSteps, type Step } from '../../../common/asking/askSteps';
import { CancelledError } from '../../../common/cancellation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import { editList } from './editList';
import {
  describeBranchProblem,
  describeCommitProblem,
  describeMountPathProblem,
  describeRepository,
  describeTokenProblem,
  describeUrlProblem,
  describeVariableProblem,
  nameOfRepository,
  type Repository,
  type Token,
} from './repositoryPresentation';

/**
 * Asks for a repository: URL, checkout, path, token. `before` provides the initial answers. If it has a token, asks only whether to replace
 * it. Rejects with a `CancelledError` if the user cancels.
 */
export async function askRepository(title: string, before?: Repository): Promise<Repository> {
  const { t } = vscode.l10n;
  let url = before?.url ?? '';
  let checkout = before?.checkout;
  let mountPath = before?.mountPath ?? '';
  let token: Token | undefined = before?.token;
  const address: Step = async canGoBack => {
    const text = await askText({
      title,
      prompt: t('Enter an address such as https://example.com/team/project'),
      placeholder: 'https://example.com/team/project',
      value: url,
      canGoBack,
      validate: value => describeUrlProblem(value, t),
    });
    url = text.trim();
    return part;
  };
  const part: Step = async canGoBack => {
    checkout = await askCheckout(title, checkout, canGoBack);
    return place;
  };
  const place: Step = async canGoBack => {
    const text = await askText({
      title,
      prompt: t('Folder in the session. Leave empty for the default.'),
      placeholder: `/workspace/${nameOfRepository(url)}`,
      value: mountPath,
      canGoBack,
      validate: value => describeMountPathProblem(value, t),
    });
    mountPath = text.trim();
    return secret;
  };
  const secret: Step = async () => {
    // A token belongs to the host for which it was entered.
    const isSameHost = before !== undefined && new URL(before.url).host === new URL(url).host;
    token = isSameHost && token !== undefined ? await keepOrAsk(title, token) : await askToken(title);
    return undefined;
  };
  await runSteps(address);
  if (token === undefined) {
    throw new CancelledError();
  }
  return { url, checkout, mountPath, token };
}

async function keepOrAsk(title: string, token: Token): Promise<Token> {
  const { t } = vscode.l10n;
  const keeps = await askChoice<'keep' | 'ask'>({
    title,
    placeholder: t('Use the same token?'),
    choices: [
      { label: `$(check) ${t('Keep the Token')}`, value: 'keep' },
      { label: `$(key) ${t('Enter Another Token...')}`, value: 'ask' },
    ],
  });
  return keeps === 'keep' ? token : await askToken(title);
}

async function askCheckout(
  title: string,
  before: RepositoryCheckout | undefined,
  canGoBack: boolean,
): Promise<RepositoryCheckout | undefined> {
  const { t } = vscode.l10n;
  const kind = await askChoice<'default' | 'branch' | 'commit'>({
    title,
    placeholder: t('Select what to check out'),
    canGoBack,
    choices: [
      { label: `$(git-branch) ${t('Default Branch')}`, value: 'default' },
      { label: `$(git-branch) ${t('A Branch...')}`, description: before?.type === 'branch' ? before.name : '', value: 'branch' },
      { label: `$(git-commit) ${t('A Commit...')}`, description: before?.type === 'commit' ? before.sha : '', value: 'commit' },
    ],
    active: before?.type ?? 'default',
  });
  if (kind === 'default') {
    return undefined;
  }
  if (kind === 'branch') {
    const name = await askText({
      title,
      prompt: t('Enter the name of a branch'),
      value: before?.type === 'branch' ? before.name : '',
      validate: value => describeBranchProblem(value, t),
    });
    return { type: 'branch', name: name.trim() };
  }
  const sha = await askText({
    title,
    prompt: t('Commit of 7 to 64 hexadecimal digits'),
    value: before?.type === 'commit' ? before.sha : '',
    validate: value => describeCommitProblem(value, t),
  });
  return { type: 'commit', sha: sha.trim() };
}

/**
 * Asks for a token, in a password box or from an environment variable of the extension host. Only the caller gets it. Rejects with a
 * `CancelledError` if the user cancels.
 */
export async function askToken(title: string): Promise<Token> {
  const { t } = vscode.l10n;
  const way = await askChoice<'type' | 'variable'>({
    title,
    placeholder: t('Select how to enter the token'),
    choices: [
      { label: `$(key) ${t('Enter the Token...')}`, value: 'type' },
      {
        label: `$(symbol-variable) ${t('From an Environment Variable...')}`,
        detail: t('VS Code must be started with this variable'),
        value: 'variable',
      },
    ],
  });
  if (way === 'type') {
    const text = await askText({
      title,
      prompt: t('Enter a token'),
      password: true,
      validate: value => describeTokenProblem(value, t),
    });
    return { value: text.trim(), variable: undefined };
  }
  const name = await askText({
    title,
    prompt: t('Name of the environment variable'),
    placeholder: 'GIT_TOKEN',
    validate: value => describeVariableProblem(value, process.env, t),
  });
  return { value: (process.env[name.trim()] ?? '').trim(), variable: name.trim() };
}

/** Maximum number of repositories. The service allows at most 500 resources of all kinds per session (API facts, section 7). */
const maxRepositories = 100;

/** Shows a list in which the user adds, edits and removes repositories. The result contains their tokens, which are not stored. */
export async function askRepositories(title: string, before: readonly Repository[]): Promise<readonly Repository[]> {
  const { t } = vscode.l10n;
  return await editList<Repository>(
    {
      title,
      placeholder: t('Repositories'),
      most: maxRepositories,
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
