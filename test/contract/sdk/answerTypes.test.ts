import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startEmulator } from '../../../src/emulator/server';
import { type RecordedAnswer, walk } from './answerWalk';

/** SDK methods, keyed by the route that they call. A response with `data` is a page or stream of the items that the method iterates. */
const methods: Readonly<Record<string, string>> = {
  'POST /v1/messages/count_tokens': 'Beta["messages"]["countTokens"]',
  'POST /v1/messages/batches': 'Beta["messages"]["batches"]["create"]',
  'GET /v1/messages/batches': 'Beta["messages"]["batches"]["list"]',
  'GET /v1/messages/batches/:id': 'Beta["messages"]["batches"]["retrieve"]',
  'DELETE /v1/messages/batches/:id': 'Beta["messages"]["batches"]["delete"]',
  'POST /v1/messages/batches/:id/cancel': 'Beta["messages"]["batches"]["cancel"]',
  'GET /v1/messages/batches/:id/results': 'Beta["messages"]["batches"]["results"]',
  'GET /v1/models': 'Beta["models"]["list"]',
  'GET /v1/models/:id': 'Beta["models"]["retrieve"]',
  ...usual('agents', 'agents', 'create list retrieve update archive'),
  'GET /v1/agents/:id/versions': 'Beta["agents"]["versions"]["list"]',
  ...usual('environments', 'environments', 'create list retrieve update archive delete'),
  'GET /v1/environments/:id/work': 'Beta["environments"]["work"]["list"]',
  'GET /v1/environments/:id/work/stats': 'Beta["environments"]["work"]["stats"]',
  'GET /v1/environments/:id/work/:id': 'Beta["environments"]["work"]["retrieve"]',
  'POST /v1/environments/:id/work/:id/stop': 'Beta["environments"]["work"]["stop"]',
  ...usual('sessions', 'sessions', 'create list retrieve update archive delete'),
  'GET /v1/sessions/:id/events': 'Beta["sessions"]["events"]["list"]',
  'POST /v1/sessions/:id/events': 'Beta["sessions"]["events"]["send"]',
  'GET /v1/sessions/:id/events/stream': 'Beta["sessions"]["events"]["stream"]',
  'GET /v1/sessions/:id/threads': 'Beta["sessions"]["threads"]["list"]',
  'GET /v1/sessions/:id/threads/:id': 'Beta["sessions"]["threads"]["retrieve"]',
  'POST /v1/sessions/:id/threads/:id/archive': 'Beta["sessions"]["threads"]["archive"]',
  'GET /v1/sessions/:id/threads/:id/events': 'Beta["sessions"]["threads"]["events"]["list"]',
  'GET /v1/sessions/:id/resources': 'Beta["sessions"]["resources"]["list"]',
  'POST /v1/sessions/:id/resources': 'Beta["sessions"]["resources"]["add"]',
  'GET /v1/sessions/:id/resources/:id': 'Beta["sessions"]["resources"]["retrieve"]',
  'POST /v1/sessions/:id/resources/:id': 'Beta["sessions"]["resources"]["update"]',
  'DELETE /v1/sessions/:id/resources/:id': 'Beta["sessions"]["resources"]["delete"]',
  'POST /v1/files': 'Beta["files"]["upload"]',
  'GET /v1/files': 'Beta["files"]["list"]',
  'GET /v1/files/:id': 'Beta["files"]["retrieveMetadata"]',
  'DELETE /v1/files/:id': 'Beta["files"]["delete"]',
  ...usual('skills', 'skills', 'create list retrieve delete'),
  'POST /v1/skills/:id/versions': 'Beta["skills"]["versions"]["create"]',
  'GET /v1/skills/:id/versions': 'Beta["skills"]["versions"]["list"]',
  'GET /v1/skills/:id/versions/:id': 'Beta["skills"]["versions"]["retrieve"]',
  'DELETE /v1/skills/:id/versions/:id': 'Beta["skills"]["versions"]["delete"]',
  ...usual('deployments', 'deployments', 'create list retrieve update archive'),
  'POST /v1/deployments/:id/run': 'Beta["deployments"]["run"]',
  'POST /v1/deployments/:id/pause': 'Beta["deployments"]["pause"]',
  'POST /v1/deployments/:id/unpause': 'Beta["deployments"]["unpause"]',
  ...usual('deployment_runs', 'deploymentRuns', 'list retrieve'),
  ...usual('memory_stores', 'memoryStores', 'create list retrieve update archive delete'),
  ...usual('memory_stores/:id/memories', 'memoryStores"]["memories', 'create list retrieve update delete'),
  ...usual('memory_stores/:id/memory_versions', 'memoryStores"]["memoryVersions', 'list retrieve'),
  'POST /v1/memory_stores/:id/memory_versions/:id/redact': 'Beta["memoryStores"]["memoryVersions"]["redact"]',
  ...usual('vaults', 'vaults', 'create list retrieve update archive delete'),
  ...usual('vaults/:id/credentials', 'vaults"]["credentials', 'create list retrieve update archive delete'),
  'POST /v1/vaults/:id/credentials/:id/mcp_oauth_validate': 'Beta["vaults"]["credentials"]["mcpOAuthValidate"]',
};

function usual(below: string, name: string, verbs: string): Record<string, string> {
  const path = `/v1/${below}`;
  const routes: Readonly<Record<string, string>> = {
    create: `POST ${path}`,
    list: `GET ${path}`,
    retrieve: `GET ${path}/:id`,
    update: `POST ${path}/:id`,
    archive: `POST ${path}/:id/archive`,
    delete: `DELETE ${path}/:id`,
  };
  return Object.fromEntries(verbs.split(' ').map(verb => [routes[verb] ?? '', `Beta["${name}"]["${verb}"]`]));
}

/**
 * Returns the declarations of the response types. `Message` has its own type because TypeScript can't infer it from overloads. Older
 * services have older files and skills.
 */
const preamble = (sdk: string) => `
import type { Anthropic } from '${sdk}';
type Beta = Anthropic['beta'];
// A type that the compiler can't find is 'any', which would accept every response.
type Sure<T> = 0 extends 1 & T ? never : T;
type Answer<F> = F extends (...given: never[]) => infer P ? Sure<Awaited<P>> : never;
type Item<F> = Answer<F> extends AsyncIterable<infer I> ? Sure<I> : Answer<F> extends { data?: (infer I)[] } ? Sure<I> : never;
type Page<F> = Omit<{ [K in keyof Answer<F> as K extends 'data' | 'next_page' | 'prev_page' | 'has_more' | 'first_id' | 'last_id' ? K : never]: Answer<F>[K] }, 'data'>;
type Message = Anthropic.Beta.BetaMessage;
type MessageEvent = Anthropic.Beta.BetaRawMessageStreamEvent | { type: 'ping' };
type OlderFile = { id: string; type: 'file'; filename: string; mime_type: string; size_bytes: number; created_at: string; downloadable?: boolean; scope?: { id: string; type: 'session' } | null };
type OlderFiles = { has_more?: boolean; first_id?: string | null; last_id?: string | null };
type OlderSkill = { id: string; type: 'skill'; display_title: string | null; source: 'custom' | 'anthropic'; latest_version: string | null; created_at: string; updated_at: string };
type OlderVersion = { id: string; type: 'skill_version'; skill_id: string; version: string; name: string; description: string; directory: string; created_at: string };
type TokenPage = { has_more: boolean; next_page: string | null };
`;

interface Types {
  readonly whole: string;
  readonly item: string;
  readonly page: string;
}

/** Returns the SDK's types of a response, or the older types. */
function typesOf(route: string, isOlder: boolean): Types {
  if (route === 'POST /v1/messages') {
    return { whole: 'Message', item: 'MessageEvent', page: '{}' };
  }
  const older = isOlder && !route.startsWith('DELETE') ? /^\w+ \/v1\/(files|skills(?:\/:id\/versions)?)/.exec(route)?.[1] : undefined;
  if (older === 'files') {
    return { whole: 'OlderFile', item: 'OlderFile', page: 'OlderFiles' };
  }
  if (older !== undefined) {
    const whole = older === 'skills' ? 'OlderSkill' : 'OlderVersion';
    return { whole, item: whole, page: 'TokenPage' };
  }
  const method = methods[route];
  assert.ok(method !== undefined, `No method of the SDK for ${route}`);
  const isStream = /\/(?:stream|results)$/.test(route);
  return { whole: `Answer<${method}>`, item: `Item<${method}>`, page: isStream ? '{}' : `Page<${method}>` };
}

/** Matches an ID in a path: an ID with a prefix, a model's ID or a version number. */
const ids = /\/(?:[a-z]+_\w{16,}|claude-[\w-]+|\d+)(?=\/|$)/g;

/** Returns a TypeScript file with a constant for each response, and the route of each of its lines. */
function toSource(
  answers: readonly RecordedAnswer[],
  sdk: string,
  isOlder: boolean,
): { text: string; routes: ReadonlyMap<number, string> } {
  const lines = preamble(sdk).split('\n');
  const routes = new Map<number, string>();
  const add = (type: string, value: unknown, route: string) => {
    lines.push(
      `export const a${lines.length}: ${type} = ${JSON.stringify(value).replace(/[\u2028\u2029]/g, lineEnd => (lineEnd === '\u2028' ? '\\u2028' : '\\u2029'))};`,
    );
    routes.set(lines.length, route);
  };
  for (const { method, path: called, json } of answers) {
    const route = `${method} ${called.replaceAll(ids, '/:id')}`;
    const { whole, item, page } = typesOf(route, isOlder);
    if (Array.isArray(json?.data)) {
      const { data, ...rest } = json;
      add(page, rest, route);
      for (const one of data) {
        add(item, one, route);
      }
    } else {
      add(whole, json, route);
    }
  }
  return { text: lines.join('\n'), routes };
}

interface Violation {
  readonly group: string;
  readonly text: string;
}

for (const [version, sdk, dialect] of [
  ['1.14', '@anthropic-ai/sdk', 'anthropic-2026'],
  ['0.122 and the older shapes', 'anthropic-sdk-era-2023', 'anthropic-2023'],
] as const) {
  describe(`responses of src/emulator by the types of the vendor's SDK ${version}`, () => {
    const folder = path.resolve(process.env.TEST_BUILD ?? 'out', `types-${dialect}`);
    let violations: readonly Violation[];
    const groups = new Map<string, number>();

    before('walk and compile', async () => {
      const emulator = await startEmulator({ dialect, scenario: { sessionPause: 0, streamPause: 0 } });
      const answers = await walk(emulator, dialect).finally(() => emulator.stop());
      const { text, routes } = toSource(answers, sdk, dialect === 'anthropic-2023');
      const groupOf = (route = '') => /\/v1\/([\w]+)(?:\/batches)?/.exec(route)?.[0].split('/').slice(2).join(' ') ?? '';
      for (const route of routes.values()) {
        groups.set(groupOf(route), (groups.get(groupOf(route)) ?? 0) + 1);
      }
      await mkdir(folder, { recursive: true });
      const file = path.join(folder, 'answers.ts');
      await writeFile(file, text);
      const output = await compile(file);
      violations = [...output.matchAll(/answers\.ts\((\d+),\d+\): (error .*(?:\n .*)*)/g)].map(([, line, problem = '']) => {
        const route = routes.get(Number(line)) ?? '';
        return { group: groupOf(route), text: `${route}: ${problem}\n${text.split('\n')[Number(line) - 1]?.slice(0, 400)}` };
      });
      assert.equal(violations.length > 0, output.trim() !== '', output.slice(0, 2000));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    for (const group of [
      'messages',
      'messages batches',
      'models',
      'agents',
      'environments',
      'sessions',
      'files',
      'skills',
      'deployments',
      'deployment_runs',
      'memory_stores',
      'vaults',
    ]) {
      it(`${group}: 0 violations`, () => {
        assert.ok((groups.get(group) ?? 0) > 1, `${groups.get(group)} answers`);
        const found = violations.filter(violation => violation.group === group).map(({ text }) => text);
        assert.equal(found.length, 0, `${found.length} of ${groups.get(group)}:\n${found.slice(0, 3000).join('\n')}`);
      });
    }
  });
}

/** Returns the compiler's errors in a file, or an empty text if there are none. */
function compile(file: string): Promise<string> {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2023'];
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [tsc, '--pretty', 'false', '--ignoreConfig', ...options, file],
      { maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}
