import * as vscode from 'vscode';
import type { RepositoryCheckout, RepositoryResourceParams } from '../../../client/resources/sessions';
import { askChoice, askText, runQuestions } from '../../../common/asking/askSteps';
import { CancelledError } from '../../../common/cancellation';
import type { Translate } from '../../../common/text/translate';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { join, toLabel } from '../../../shared/text';
import { loadSecretQuestions } from '../../resources';
import { editList } from './editList';

/** Asks for a repository. `before` provides the defaults. Offers to keep its token if the host is unchanged. */
export async function askRepository(title: string, before?: Repository): Promise<Repository> {
  const { t } = vscode.l10n;
  let url = before?.url ?? '';
  let checkout = before?.checkout;
  let mountPath = before?.mountPath ?? '';
  let token = before?.token;
  await runQuestions(() => [
    async canGoBack => {
      const text = await askText({
        ...{ title, value: url, canGoBack, placeholder: 'https://example.com/team/project' },
        prompt: t('Enter an address such as https://example.com/team/project'),
        validate: value => describeUrlProblem(value, t),
      });
      url = text.trim();
    },
    async canGoBack => {
      const text = await askText({
        ...{
          title,
          value: checkout === undefined ? '' : checkout.type === 'branch' ? checkout.name : checkout.sha,
          canGoBack,
          placeholder: 'main',
        },
        prompt: t('Branch or commit. Leave empty for the default branch.'),
        validate: value => (value.trim() === '' ? undefined : describeWordProblem(value, '', limits.branch, t)),
      });
      checkout = toCheckout(text);
    },
    async canGoBack => {
      const text = await askText({
        ...{ title, value: mountPath, canGoBack, placeholder: `/workspace/${nameOfRepository(url)}` },
        prompt: t('Folder in the session. Leave empty for the default.'),
        validate: value => describeMountPathProblem(value, t),
      });
      mountPath = text.trim();
    },
    async canGoBack => {
      // A token belongs to the host for which it was entered.
      const isSameHost = before !== undefined && new URL(before.url).host === new URL(url).host;
      token = isSameHost && token !== undefined && (await keepsToken(title)) ? token : await askToken(title, canGoBack);
    },
  ]);
  if (token === undefined) {
    throw new CancelledError();
  }
  return { url, checkout, mountPath, token };
}

async function keepsToken(title: string): Promise<boolean> {
  const { t } = vscode.l10n;
  return await askChoice<boolean>({
    title,
    placeholder: t('Use the same token?'),
    choices: [
      { label: `$(check) ${t('Keep Token')}`, value: true },
      { label: `$(key) ${t('Enter Another Token...')}`, value: false },
    ],
  });
}

/** Asks for a token. Stores it nowhere. Throws a `CancelledError` if the user cancels. */
export async function askToken(title: string, canGoBack = false): Promise<string> {
  const { askSecret } = await loadSecretQuestions();
  return await askSecret({ title, prompt: vscode.l10n.t('Enter a token'), most: longestToken, canGoBack });
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
      icon: 'repo',
      name: ({ url }) => url,
      describe: repository => describeRepository(repository, t),
      ways: [{ label: `$(add) ${t('Add Repository...')}`, ask: async () => [await askRepository(title)] }],
      changes: repository => [{ label: `$(edit) ${t('Change...')}`, value: () => askRepository(title, repository) }],
    },
    before,
  );
}

/** Repository to mount in a session. */
export interface Repository {
  readonly url: string;
  readonly checkout: RepositoryCheckout | undefined;
  /** Path in the sandbox. Empty if the service chooses it. */
  readonly mountPath: string;
  /** Token for the repository's host. It exists only in memory, and is never shown, written or logged. */
  readonly token: string;
}

/** Limits of the service (API facts, section 7, Session resources). */
const limits = { url: 2048, mountPath: 4096, branch: 255 };
const longestToken = 4096;

/** Returns why a text is not a single word of at most `max` characters: `missing` for an empty text, `undefined` for a valid one. */
export function describeWordProblem(text: string, missing: string, max: number, t: Translate): string | undefined {
  const word = text.trim();
  if (word === '') {
    return missing;
  }
  if (word.length > max) {
    return t('Use at most {0} characters.', max);
  }
  return /[\s\p{Cc}\p{Cf}]/u.test(word) ? t('Remove spaces and invisible characters.') : undefined;
}

/** Returns why the URL of a repository is invalid. `undefined` if it is valid. */
export function describeUrlProblem(text: string, t: Translate): string | undefined {
  const url = text.trim();
  const missing = t('Enter an address such as https://example.com/team/project');
  if (url !== '' && url.length <= limits.url) {
    const { protocol, hostname, username, password } = URL.canParse(url) ? new URL(url) : new URL('invalid:');
    if (protocol !== 'https:' || hostname === '') {
      return missing;
    }
    if (username !== '' || password !== '') {
      return t('Remove keys, user names and parameters from the address.');
    }
  }
  return describeWordProblem(url, missing, limits.url, t);
}

/** Parses a branch name, or a commit of 7 to 64 hexadecimal digits. Returns `undefined` for an empty text. */
export function toCheckout(text: string): RepositoryCheckout | undefined {
  const name = text.trim();
  const isCommit = /^[0-9a-f]{7,64}$/i.test(name);
  return name === '' ? undefined : isCommit ? { type: 'commit', sha: name } : { type: 'branch', name };
}

/** Returns why a mount path is invalid. `undefined` if it is valid or empty. */
export function describeMountPathProblem(text: string, t: Translate): string | undefined {
  const path = text.trim();
  return path.length > limits.mountPath
    ? t('Use at most {0} characters.', limits.mountPath)
    : /[\p{Cc}\p{Cf}]|(?:^|\/)\.\.(?:\/|$)/u.test(path)
      ? t('Enter a valid folder path.')
      : undefined;
}

/** Describes a repository on one line: `main · /workspace/project`. */
export function describeRepository({ checkout, mountPath }: Repository, t: Translate): string {
  return withoutIcons(join(' · ', describeCheckout(checkout, t), toLabel(mountPath, 60)));
}

/** Describes the checkout of a repository: a branch, a commit, or the default. */
export function describeCheckout(
  checkout: { readonly type?: string | null; readonly name?: string | null; readonly sha?: string | null } | null | undefined,
  t: Translate,
): string {
  switch (checkout?.type) {
    case 'branch':
      return t('branch {0}', toLabel(checkout.name ?? '?', 60));
    case 'commit':
      return t('commit {0}', toLabel((checkout.sha ?? '?').slice(0, 12), 60));
    default:
      return checkout?.type ? toLabel(checkout.type, 40) : t('default branch');
  }
}

/** Returns the name of a repository: the last part of its URL. */
export function nameOfRepository(url: string): string {
  const parts = url.split(/[?#]/)[0]?.split('/') ?? [];
  return toLabel(parts.findLast(part => part !== '')?.replace(/\.git$/, '') || url, 80);
}

/** Returns a repository in the service's format. `type` is the name that the service's dialect uses. */
export function toRepositoryParams({ url, checkout, mountPath, token }: Repository, type: string): RepositoryResourceParams {
  return {
    type,
    url,
    authorization_token: token,
    ...(mountPath === '' ? {} : { mount_path: mountPath }),
    ...(checkout === undefined ? {} : { checkout }),
  };
}
