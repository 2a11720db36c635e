import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Job {
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }[];
}

const text = readFileSync('.github/workflows/release.yml', 'utf8');
const { permissions, jobs } = parse(text) as { readonly permissions: object; readonly jobs: Readonly<Record<'package' | 'publish', Job>> };
const runsOf = (job: Job) => job.steps.flatMap(({ run }) => run ?? []);
const packaging = runsOf(jobs.package);
const publishing = runsOf(jobs.publish);

describe('project/release', () => {
  it('packages and attests once, after all tests, and publishes those bytes', () => {
    const tested = packaging.indexOf('.ci/run');
    assert.ok(tested >= 0 && packaging.findIndex(run => run.includes('npm run package')) > tested);
    assert.ok(jobs.package.steps.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance@')));
    assert.ok(!publishing.some(run => /npm run|npm test|vsce package|esbuild/.test(run)));
    const compared = publishing.findIndex(run => run.includes('sha256sum --check --strict'));
    assert.ok(compared >= 0 && compared < publishing.findIndex(run => run.includes('matrix.command')));
  });

  it('stores no token, and publishes in an environment that people approve', () => {
    assert.doesNotMatch(text, /secrets\.|_PAT\b|--pat\b/);
    assert.deepEqual(permissions, {});
    assert.deepEqual(jobs.package.permissions, { contents: 'read', 'id-token': 'write', attestations: 'write' });
    assert.deepEqual(jobs.publish.permissions, { contents: 'read', 'id-token': 'write' });
    assert.equal(jobs.publish.environment, 'release');
  });

  it('pins what it runs: actions by commit, tools by a lock file, without install scripts during publishing', () => {
    for (const { uses, with: options } of [...jobs.package.steps, ...jobs.publish.steps].filter(step => step.uses !== undefined)) {
      assert.match(uses ?? '', /^actions\/[\w-]+@[0-9a-f]{40}$/);
      assert.ok(!uses?.includes('/checkout@') || options?.['persist-credentials'] === false);
    }
    assert.ok(publishing.includes('npm ci --ignore-scripts --prefix .github/release'));
  });
});
