import assert from 'node:assert/strict';
import {
  describeBranchProblem,
  describeCheckout,
  describeCommitProblem,
  describeMountPathProblem,
  describeRepository,
  describeUrlProblem,
  nameOfRepository,
  type Repository,
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
  it('takes addresses of https and says what is wrong with others', () => {
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

  it('takes branches, commits and folders, and says what is wrong with others', () => {
    assert.equal(describeBranchProblem('feature/one', t), undefined);
    assert.match(describeBranchProblem(' ', t) ?? '', /[Nn]ame of/);
    assert.match(describeBranchProblem('a b', t) ?? '', /Remove spaces/);
    assert.match(describeBranchProblem('x'.repeat(256), t) ?? '', /at most 255/);
    assert.equal(describeCommitProblem('0123abc', t), undefined);
    for (const sha of ['', '0123ab', 'main', 'a'.repeat(65)]) {
      assert.match(describeCommitProblem(sha, t) ?? '', /7 to 64/);
    }
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

  it('sends no field that was left to the service', () => {
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
