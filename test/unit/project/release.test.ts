import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly { readonly gallery: string; readonly command: string }[] } };
  readonly steps: readonly Step[];
}

const text = readFileSync('.github/workflows/release.yml', 'utf8');
const workflow = parse(text) as { readonly permissions: object; readonly jobs: Readonly<Record<'package' | 'publish', Job>> };
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<Record<string, unknown>> & {
  readonly scripts: Readonly<Record<string, string>>;
};
const tools = JSON.parse(readFileSync('.github/release/package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const { package: packaging, publish } = workflow.jobs;
const runsOf = (job: Job) => job.steps.flatMap(({ run }) => run ?? []);

describe('project/release', () => {
  it('packages and attests once, after all tests, and publishes those bytes to both galleries', () => {
    assert.deepEqual(Object.keys(workflow.jobs), ['package', 'publish']);
    const runs = runsOf(packaging);
    const tested = runs.indexOf('.ci/run');
    const packaged = runs.findIndex(run => run.includes('npm run package -- --out managed-agents.vsix'));
    assert.ok(tested >= 0 && packaged > tested);
    const uses = packaging.steps.flatMap(step => step.uses ?? []);
    assert.ok(uses.some(name => name.startsWith('actions/attest-build-provenance@')));

    assert.equal(publish.needs, 'package');
    const published = runsOf(publish);
    assert.ok(!published.some(run => /npm run|npm test|vsce package|esbuild/.test(run)));
    const compared = published.findIndex(run => run.includes('sha256sum --check --strict'));
    assert.ok(compared >= 0 && compared < published.findIndex(run => run.includes('matrix.command')));
    const galleries = publish.strategy?.matrix.include ?? [];
    assert.deepEqual(
      galleries.map(({ command }) => command.split(' ').slice(0, 2).join(' ')),
      ['vsce publish', 'ovsx publish'],
    );
    assert.ok(galleries.every(({ command }) => command.endsWith('--packagePath')));
  });

  it('stores no token: each gallery takes the identity of the workflow, in an environment that people approve', () => {
    assert.doesNotMatch(text, /secrets\.|_PAT\b|--pat\b/);
    assert.deepEqual(workflow.permissions, {});
    assert.deepEqual(packaging.permissions, { contents: 'read', 'id-token': 'write', attestations: 'write' });
    assert.deepEqual(publish.permissions, { contents: 'read', 'id-token': 'write' });
    assert.equal(publish.environment, 'release');
    assert.deepEqual(
      publish.strategy?.matrix.include.map(({ command }) => /--oidc|--trusted-publishing/.exec(command)?.[0]),
      ['--oidc', '--trusted-publishing'],
    );
  });

  it('runs nothing that can change under it: actions by their commit, tools by a lock file, no install scripts where it publishes', () => {
    for (const { uses, with: given } of [...packaging.steps, ...publish.steps].filter(step => step.uses !== undefined)) {
      assert.match(uses ?? '', /^actions\/[\w-]+@[0-9a-f]{40}$/);
      assert.ok(!uses?.includes('/checkout@') || given?.['persist-credentials'] === false);
    }
    assert.ok(runsOf(publish).includes('npm ci --ignore-scripts --prefix .github/release'));
    assert.deepEqual(Object.keys(tools.dependencies), ['@vscode/vsce', 'ovsx']);
    assert.ok(Object.values(tools.dependencies).every(version => /^\d+\.\d+\.\d+$/.test(version)));
  });

  it('says where the project lives in all three places, or in none and then packages without', () => {
    const homes = ['repository', 'bugs', 'homepage'].filter(name => manifest[name] !== undefined);
    const withoutHome = manifest.scripts.package?.includes('--allow-missing-repository') === true;
    assert.ok(homes.length === 3 ? !withoutHome : homes.length === 0 && withoutHome, `${homes.join(', ')}, ${withoutHome}`);
    assert.ok(runsOf(packaging).some(run => run.includes('!repository || !bugs || !homepage')));
  });
});
