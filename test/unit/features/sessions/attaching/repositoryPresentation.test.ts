import assert from 'node:assert/strict';
import {
  describeCheckout,
  describeMountPathProblem,
  describeRepository,
  describeUrlProblem,
  nameOfRepository,
  type Repository,
  toCheckout,
  toRepositoryParams,
} from '../../../../../src/features/sessions/attaching/askRepository';
import { fillPlaceholders as t } from '../../requests/fillPlaceholders';

const token = 'CANARY-token-0123456789';
const repository: Repository = {
  url: 'https://example.com/acme/repo.git',
  checkout: { type: 'branch', name: 'main' },
  mountPath: '',
  token,
};

describe('features/sessions/attaching/repositoryPresentation', () => {
  it('accepts https addresses and explains what is wrong with others', () => {
    for (const url of ['https://example.com/acme/repo', ' https://example.com/acme/repo.git ', 'https://127.0.0.1:8443/a']) {
      assert.equal(describeUrlProblem(url, t), undefined, url);
    }
    for (const [url, words] of [
      ['', /Enter an address/],
      ['http://example.com/acme/repo', /such as https/],
      ['git@example.com:acme/repo.git', /such as https/],
      ['file:///etc/passwd', /such as https/],
      ['https://', /such as https/],
      ['example.com/acme', /such as https/],
      [`https://user:${token}@example.com/acme/repo`, /Remove keys, user names/],
      ['https://example.com/a b', /Remove spaces/],
      ['https://example.com/\u202egit', /Remove spaces/],
      [`https://example.com/${'x'.repeat(2048)}`, /at most 2048/],
    ] as const) {
      const problem = describeUrlProblem(url, t) ?? '';
      assert.match(problem, words, url);
      assert.doesNotMatch(problem, /CANARY/);
    }
  });

  it('accepts branches, commits and folders, and explains what is wrong with other folders', () => {
    assert.deepEqual([' ', 'feature/one', ' 0123abc ', '0123ab', 'a'.repeat(65)].map(toCheckout), [
      undefined,
      { type: 'branch', name: 'feature/one' },
      { type: 'commit', sha: '0123abc' },
      { type: 'branch', name: '0123ab' },
      { type: 'branch', name: 'a'.repeat(65) },
    ]);
    assert.equal(describeMountPathProblem('', t), undefined);
    assert.equal(describeMountPathProblem('/workspace/repo', t), undefined);
    for (const path of ['/a/../b', '..', '/a\u0000', '/\u202eb']) {
      assert.match(describeMountPathProblem(path, t) ?? '', /valid folder path/);
    }
    assert.match(describeMountPathProblem(`/${'x'.repeat(4096)}`, t) ?? '', /at most 4096/);
  });

  it('describes a repository without its token', () => {
    assert.equal(describeRepository(repository, t), 'branch main');
    const other = { ...repository, checkout: undefined, mountPath: '/w/$(zap)\u202e' };
    assert.match(describeRepository(other, t), /^default branch · .*zap.*\\u\{202e\}$/);
    assert.doesNotMatch(describeRepository(other, t), /CANARY|[^\\]\$\(zap\)/);
    assert.deepEqual(
      [null, { type: 'commit', sha: '0123456789abcdef' }, { type: 'tag', name: 'v1' }].map(one => describeCheckout(one, t)),
      ['default branch', 'commit 0123456789ab', 'tag'],
    );
    assert.deepEqual(['https://h/a/b.git', 'https://h/a/b/', 'https://h/b?x=/y', 'https://h'].map(nameOfRepository), ['b', 'b', 'b', 'h']);
  });

  it('omits fields that the user left empty', () => {
    assert.deepEqual(toRepositoryParams(repository, 'github_repository'), {
      type: 'github_repository',
      url: repository.url,
      authorization_token: token,
      checkout: { type: 'branch', name: 'main' },
    });
    assert.deepEqual(toRepositoryParams({ ...repository, checkout: undefined, mountPath: '/w' }, 'git_repository'), {
      type: 'git_repository',
      url: repository.url,
      authorization_token: token,
      mount_path: '/w',
    });
  });
});
