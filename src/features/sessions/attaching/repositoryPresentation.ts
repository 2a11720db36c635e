import type { RepositoryCheckout, RepositoryResourceParams } from '../../../client/schemas/sessionParams';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';

/** Token entered by the user. It exists only in memory, and is never shown, written or logged. */
export interface Token {
  readonly value: string;
  /** Environment variable that contained it. `undefined` if the user typed it. */
  readonly variable: string | undefined;
}

/** Repository to mount in a session. */
export interface Repository {
  readonly url: string;
  readonly checkout: RepositoryCheckout | undefined;
  /** Path in the sandbox. Empty if the service chooses it. */
  readonly mountPath: string;
  readonly token: Token;
}

/** Limits of the service (API facts, section 7, Session resources). */
const most = { url: 2048, mountPath: 4096, token: 4096, branch: 255 };

/** Returns why the URL of a repository is invalid. `undefined` if it is valid. */
export function describeUrlProblem(text: string, t: Translate): string | undefined {
  const url = text.trim();
  if (url === '') {
    return t('Enter an address such as https://example.com/team/project');
  }
  if (url.length > most.url) {
    return t('Use at most {0} characters.', most.url);
  }
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:' || new URL(url).hostname === '') {
    return t('Enter an address such as https://example.com/team/project');
  }
  if (new URL(url).username !== '' || new URL(url).password !== '') {
    return t('Remove keys, user names and parameters from the address.');
  }
  return /[\s\p{Cc}\p{Cf}]/u.test(url) ? t('Remove spaces and invisible characters.') : undefined;
}

/** Returns why a branch name is invalid. `undefined` if it is valid. */
export function describeBranchProblem(text: string, t: Translate): string | undefined {
  const branch = text.trim();
  return branch === ''
    ? t('Enter the name of a branch')
    : branch.length > most.branch
      ? t('Use at most {0} characters.', most.branch)
      : /[\s\p{Cc}\p{Cf}]/u.test(branch)
        ? t('Remove spaces and invisible characters.')
        : undefined;
}

/** Returns why a commit hash is invalid. `undefined` if it is valid. */
export function describeCommitProblem(text: string, t: Translate): string | undefined {
  return /^[0-9a-f]{7,64}$/i.test(text.trim()) ? undefined : t('Commit of 7 to 64 hexadecimal digits');
}

/** Returns why a mount path is invalid. `undefined` if it is valid or empty. */
export function describeMountPathProblem(text: string, t: Translate): string | undefined {
  const path = text.trim();
  return path.length > most.mountPath
    ? t('Use at most {0} characters.', most.mountPath)
    : /[\p{Cc}\p{Cf}]|(?:^|\/)\.\.(?:\/|$)/u.test(path)
      ? t('Enter a valid folder path.')
      : undefined;
}

/** Returns why a token is invalid, without quoting any part of it. `undefined` if it is valid. */
export function describeTokenProblem(text: string, t: Translate): string | undefined {
  const token = text.trim();
  return token === ''
    ? t('Enter a token')
    : token.length > most.token
      ? t('Use at most {0} characters.', most.token)
      : /[\s\p{Cc}\p{Cf}]/u.test(token)
        ? t('Remove spaces and invisible characters.')
        : undefined;
}

/** Returns why an environment variable can't provide a token. `undefined` if it can. */
export function describeVariableProblem(name: string, environment: NodeJS.ProcessEnv, t: Translate): string | undefined {
  const value = environment[name.trim()];
  if (name.trim() === '') {
    return t('Name of the environment variable');
  }
  return value === undefined
    ? t('There is no environment variable of this name.')
    : describeTokenProblem(value, t) === undefined
      ? undefined
      : t("The value isn't valid. {0}", describeTokenProblem(value, t) ?? '');
}

/** Describes a repository on one line, without its token: `main · /workspace/project · token from GIT_TOKEN`. */
export function describeRepository({ checkout, mountPath, token }: Repository, t: Translate): string {
  return withoutIcons(
    join(
      ' · ',
      describeCheckout(checkout, t),
      toLabel(mountPath, 60),
      token.variable === undefined ? t('token entered') : t('token from {0}', toLabel(token.variable, 40)),
    ),
  );
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

/** Returns a repository in the service's format. `type` is the name that its dialect uses. */
export function toRepositoryParams({ url, checkout, mountPath, token }: Repository, type: string): RepositoryResourceParams {
  return {
    type,
    url,
    authorization_token: token.value,
    ...(mountPath === '' ? {} : { mount_path: mountPath }),
    ...(checkout === undefined ? {} : { checkout }),
  };
}
