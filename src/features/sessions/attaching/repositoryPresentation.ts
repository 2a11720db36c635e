import type { RepositoryCheckout, RepositoryResourceParams } from '../../../client/schemas/sessionParams';
import { join } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';

/** A secret that was entered: it lives in memory only, and nothing shows, writes or logs it. */
export interface Token {
  readonly value: string;
  /** The environment variable it was read from; undefined when it was typed. */
  readonly variable: string | undefined;
}

/** A repository that a session is to get. */
export interface Repository {
  readonly url: string;
  readonly checkout: RepositoryCheckout | undefined;
  /** Empty where the service chooses. */
  readonly mountPath: string;
  readonly token: Token;
}

/** Limits of the service (API facts, section 7, Session resources). */
const most = { url: 2048, mountPath: 4096, token: 4096, branch: 255 };

/** What is wrong with the address of a repository, or undefined. */
export function describeUrlProblem(text: string, t: Translate): string | undefined {
  const url = text.trim();
  if (url === '') {
    return t('Enter the address of the repository');
  }
  if (url.length > most.url) {
    return t('An address has at most {0} characters.', most.url);
  }
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:' || new URL(url).hostname === '') {
    return t('Enter an address that begins with https://, such as https://example.com/team/project');
  }
  if (new URL(url).username !== '' || new URL(url).password !== '') {
    return t('Leave user and token out of the address: the token is asked for by itself.');
  }
  return /[\s\p{Cc}\p{Cf}]/u.test(url) ? t('An address has no spaces and no invisible characters.') : undefined;
}

/** What is wrong with a branch, or undefined. */
export function describeBranchProblem(text: string, t: Translate): string | undefined {
  const branch = text.trim();
  return branch === ''
    ? t('Enter the name of a branch')
    : branch.length > most.branch
      ? t('The name of a branch has at most {0} characters.', most.branch)
      : /[\s\p{Cc}\p{Cf}]/u.test(branch)
        ? t('The name of a branch has no spaces and no invisible characters.')
        : undefined;
}

/** What is wrong with a commit, or undefined. */
export function describeCommitProblem(text: string, t: Translate): string | undefined {
  return /^[0-9a-f]{7,64}$/i.test(text.trim()) ? undefined : t('A commit is 7 to 64 hexadecimal digits.');
}

/** What is wrong with a mount path, which may be empty, or undefined. */
export function describeMountPathProblem(text: string, t: Translate): string | undefined {
  const path = text.trim();
  return path.length > most.mountPath
    ? t('A path has at most {0} characters.', most.mountPath)
    : /[\p{Cc}\p{Cf}]|(?:^|\/)\.\.(?:\/|$)/u.test(path)
      ? t('This is no path of a folder.')
      : undefined;
}

/** What is wrong with a token, or undefined; the words never have a part of it. */
export function describeTokenProblem(text: string, t: Translate): string | undefined {
  const token = text.trim();
  return token === ''
    ? t('Enter a token')
    : token.length > most.token
      ? t('A token has at most {0} characters.', most.token)
      : /[\s\p{Cc}\p{Cf}]/u.test(token)
        ? t('A token has no spaces, line breaks or invisible characters.')
        : undefined;
}

/** What is wrong with the environment variable of a name, or undefined. */
export function describeVariableProblem(name: string, environment: NodeJS.ProcessEnv, t: Translate): string | undefined {
  const value = environment[name.trim()];
  if (name.trim() === '') {
    return t('Enter the name of an environment variable');
  }
  return value === undefined
    ? t('The extension host has no environment variable of this name. VS Code has to be started with it.')
    : describeTokenProblem(value, t) === undefined
      ? undefined
      : t('The value of this variable is no token. {0}', describeTokenProblem(value, t) ?? '');
}

/** A repository as one line without its token: `main · /workspace/project · token from GIT_TOKEN`. */
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

/** What of a repository is checked out, in words. */
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

/** Name of a repository: the last part of its address. */
export function nameOfRepository(url: string): string {
  const parts = url.split(/[?#]/)[0]?.split('/') ?? [];
  return toLabel(parts.findLast(part => part !== '')?.replace(/\.git$/, '') || url, 80);
}

/** A repository as the service takes it; `type` is what its dialect calls one. */
export function toRepositoryParams({ url, checkout, mountPath, token }: Repository, type: string): RepositoryResourceParams {
  return {
    type,
    url,
    authorization_token: token.value,
    ...(mountPath === '' ? {} : { mount_path: mountPath }),
    ...(checkout === undefined ? {} : { checkout }),
  };
}
