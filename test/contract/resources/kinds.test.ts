import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { versionKey } from '../../../src/client/resources/skills';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { ServiceError } from '../../../src/client/transport/errors';
import { listAll } from '../../../src/client/transport/pagination';
import type { Reference } from '../../../src/contributions';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { type Definition, toDefinition, toDefinitionText } from '../../../src/features/resources/definitions/definitionText';
import { toPatch } from '../../../src/features/resources/definitions/mergeDefinitions';
import { everyKind, kinds } from '../../../src/features/resources/kinds';
import {
  type ActName,
  abilityFor,
  type Need,
  type Resource,
  type ResourceKind,
  runActOf,
} from '../../../src/features/resources/resourceKind';
import { toHover, toPage } from '../../../src/features/resources/resourcePresentation';
import { contractClient, SessionOnEmulator } from '../../helpers/emulatorClient';
import { manifestText, skillFiles } from '../../helpers/skillFiles';
import { context } from '../../unit/features/resources/presenting';

/** Client and emulator of a test. */
interface Ground {
  readonly client: ServiceClient;
  readonly emulator: Emulator;
}

/** Creates objects of a kind, and the parent that they need. */
interface Maker {
  parent(ground: Ground): Promise<Reference | undefined>;
  make(ground: Ground, name: string, parent: Reference | undefined): Promise<string>;
  /** Functions that prepare an object for an action, keyed by action. */
  readonly before?: Readonly<Record<string, (ground: Ground, id: string) => Promise<unknown>>>;
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
const environmentParent =
  (config: object) =>
  async ({ client }: Ground) => {
    const { data } = await client.environments.create({ name: 'Parent', config });
    return { connection: 'Lab', kind: 'environment', id: data.id };
  };
const startIn = async ({ emulator }: Ground, title: string, parent: Reference | undefined) =>
  (await SessionOnEmulator.start(emulator, 'Researcher', { title, environment_id: parent?.id })).id;

const filesOfSkill = (name: string) => {
  const slug = name.replaceAll(' ', '-');
  return skillFiles(slug, { 'SKILL.md': manifestText(slug), 'texts/one': '1', 'texts/two': '2', 'texts/three': '3', 'texts/plain': '4' });
};
const skillParent = async ({ client }: Ground): Promise<Reference> => {
  const { data } = await client.skills.create({ files: filesOfSkill('parent') });
  return { connection: 'Lab', kind: 'skill', id: data.id };
};

const deploy = async ({ client }: Ground, name: string) => {
  const [agent] = (await client.agents.list({ limit: 1 })).items;
  const [environment] = (await client.environments.list({ limit: 1 })).items;
  const events = [{ type: 'user.message', content: [{ type: 'text', text: 'go' }] }];
  const params = { name, agent: agent?.id, environment_id: environment?.id, initial_events: events };
  return (await client.deployments.create(params)).data.id;
};

/** Makers of objects, keyed by kind. The suite fails if a kind is missing. */
const makers: Readonly<Record<string, Maker>> = {
  environment: {
    parent: async () => undefined,
    make: async ({ client }, name) => (await client.environments.create({ name, config: { type: 'cloud' } })).data.id,
  },
  agent: {
    parent: async () => undefined,
    make: async ({ client }, name) => (await client.agents.create({ name, model: 'vendor-opus-5' })).data.id,
  },
  agentVersion: {
    parent: async ({ client }) => {
      const { data } = await client.agents.create({ name: 'Parent', model: 'vendor-opus-5' });
      return { connection: 'Lab', kind: 'agent', id: data.id };
    },
    make: async ({ client }, description, parent) => {
      const id = parent?.id ?? '';
      const { version } = (await client.agents.retrieve(id)).data;
      return String((await client.agents.update(id, { version, description })).data.version);
    },
  },
  deployment: {
    parent: async () => undefined,
    make: deploy,
    before: { unpause: ({ client }, id) => client.deployments.pause(id) },
  },
  deploymentRun: {
    parent: async ground => ({ connection: 'Lab', kind: 'deployment', id: await deploy(ground, 'Parent') }),
    make: async ({ client }, _, parent) => (await client.deployments.run(parent?.id ?? '')).data.id,
  },
  file: {
    parent: async () => undefined,
    make: async ({ client }, name) =>
      (await client.files.upload({ name, content: { byteLength: name.length, open: () => bytesOf(name) } })).data.id,
  },
  vault: {
    parent: async () => undefined,
    make: async ({ client }, display_name) => (await client.vaults.create({ display_name })).data.id,
  },
  credential: {
    parent: async ({ client }) => ({
      connection: 'Lab',
      kind: 'vault',
      id: (await client.vaults.create({ display_name: 'Parent' })).data.id,
    }),
    make: async ({ client }, name, parent) => {
      const auth = { type: 'static_bearer', mcp_server_url: `https://mcp.example.com/${encodeURIComponent(name)}`, token: 'x' };
      return (await client.vaults.credentials(parent?.id ?? '').create({ display_name: name, auth })).data.id;
    },
  },
  webhook: {
    parent: async () => undefined,
    make: async ({ client }, name) => {
      const url = 'https://example.com/hook';
      return (await client.webhooks.create({ name, url, enabled_events: ['vault.created'] })).data.webhook.id;
    },
  },
  memoryStore: {
    parent: async () => undefined,
    make: async ({ client }, name) => (await client.memoryStores.create({ name })).data.id,
  },
  memory: {
    parent: async ({ client }) => {
      const { data } = await client.memoryStores.create({ name: 'Parent' });
      return { connection: 'Lab', kind: 'memoryStore', id: data.id };
    },
    make: async ({ client }, name, parent) =>
      (await client.memoryStores.memories(parent?.id ?? '').create({ path: `/${name}.md`, content: name })).data.id,
  },
  skill: {
    parent: async () => undefined,
    make: async ({ client }, name) => (await client.skills.create({ files: filesOfSkill(name), title: name })).data.id,
  },
  skillVersion: {
    parent: skillParent,
    make: async ({ client }, _, parent) => versionKey((await client.skills.versions(parent?.id ?? '').create(filesOfSkill('parent'))).data),
  },
  // A version never changes, so its files exist from the start, under the names that the tests use.
  skillFile: {
    parent: async ground => {
      const skill = await skillParent(ground);
      const [version] = (await ground.client.skills.versions(skill.id).list()).items;
      return { connection: 'Lab', kind: 'skillVersion', id: versionKey(version ?? { id: '' }), parent: skill };
    },
    make: async (_, name) => `texts/${name}`,
  },
  session: { parent: environmentParent({ type: 'cloud' }), make: startIn },
  work: {
    parent: environmentParent({ type: 'self_hosted' }),
    make: async (ground, title, parent) => {
      const session = await startIn(ground, title, parent);
      const { items } = await ground.client.environments.work(parent?.id ?? '').list();
      return items.find(({ data }) => data?.id === session)?.id ?? '';
    },
  },
};

describe('every kind of resource', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  before('start a service', async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
    client = contractClient(emulator);
  });
  afterEach(() => emulator.setScenario({ faults: [] }));
  after('stop it', async () => {
    await client.close();
    await emulator.stop();
  });

  it('has a maker in this suite', () => {
    assert.deepEqual(everyKind.map(({ kind }) => kind).sort(), Object.keys(makers).sort());
  });

  for (const kind of everyKind) {
    describe(kind.kind, () => {
      const maker = () => {
        const found = makers[kind.kind];
        assert.ok(found !== undefined, kind.kind);
        return found;
      };
      const ground = () => ({ client, emulator });

      it('is listed page by page, each item once, and read by its ID', async () => {
        const parent = await maker().parent(ground());
        const made: string[] = [];
        for (const name of ['one', 'two', 'three']) {
          made.push(await maker().make(ground(), name, parent));
        }
        const calls = kind.calls(client, parent);
        const seen: string[] = [];
        for await (const value of listAll(options => calls.list(options), { limit: 2 })) {
          seen.push(value.id);
        }
        assert.equal(new Set(seen).size, seen.length);
        assert.deepEqual(seen.filter(id => made.includes(id)).sort(), [...made].sort());
        const [first = ''] = made;
        assert.equal((await calls.retrieve(first)).data.id, first);
      });

      it("tells a missing item from one that can't be read", async () => {
        const parent = await maker().parent(ground());
        const calls = kind.calls(client, parent);
        const statusOf = async (work: Promise<unknown>) => {
          const error = await work.then(
            () => undefined,
            failure => failure,
          );
          assert.ok(error instanceof ServiceError);
          return [error.status, error.kind];
        };
        const id = kind.kind === 'agentVersion' ? '999' : 'no_such_thing';
        assert.deepEqual(await statusOf(calls.retrieve(id)), [404, 'not_found']);
        emulator.setScenario({ faults: [{ name: 'serverError', status: 409 }] });
        assert.equal((await statusOf(calls.retrieve(id)))[0], 409);
      });

      it('offers its actions only where they apply, and performs them', async () => {
        for (const [name, act] of Object.entries(kind.acts ?? {})) {
          const parent = await maker().parent(ground());
          const id = await maker().make(ground(), `to ${name}`, parent);
          const reference = { connection: 'Lab', kind: kind.kind, id, ...(parent && { parent }) };
          const calls = kind.calls(client, parent);
          await maker().before?.[name]?.(ground(), id);
          const { data } = await calls.retrieve(id);
          assert.ok(
            kind
              .row(data, context)
              .abilities.split(' ')
              .includes(abilityFor[name as ActName]),
            name,
          );
          assert.notEqual(act.detail(context.translate, data), '');
          const after = await runActOf(kind, name as ActName, client, reference, data);
          if (name === 'delete') {
            await assert.rejects(calls.retrieve(id), (error: unknown) => error instanceof ServiceError && error.status === 404);
            // The second delete fails as if another client had been faster.
            await assert.rejects(
              runActOf(kind, name as ActName, client, reference, data),
              (error: unknown) => error instanceof ServiceError && error.status === 404,
            );
          } else {
            assert.ok(
              !kind
                .row(after as Resource, context)
                .abilities.split(' ')
                .includes(abilityFor[name as ActName]),
              `${name} is offered again`,
            );
          }
        }
      });

      it('has a complete row, and renders no markup from the service', async () => {
        const parent = await maker().parent(ground());
        const id = await maker().make(ground(), 'plain', parent);
        const { data } = await kind.calls(client, parent).retrieve(id);
        const hostile = '<img src=x>[a](command:x) $(zap)\u202e\u0007\nnext';
        const odd = {
          ...data,
          name: hostile,
          display_name: hostile,
          title: hostile,
          filename: hostile,
          display_title: hostile,
          directory: hostile,
          description: hostile,
          path: hostile,
          status: hostile,
          later: { field: 1 },
        };
        for (const value of [data, odd, { id } as Resource]) {
          checkRow(kind, value);
        }
      });

      it('has a title', () => {
        assert.notEqual(kind.title(context.translate), '');
      });

      if (kind.definition !== undefined && kind.definition.isReadonly !== true) {
        it('is created from each template, and published as a patch of its changes', async () => {
          const { definition } = kind;
          assert.ok(definition !== undefined);
          const naming = definition.nameField ?? 'name';
          for (const template of definition.templates(context.translate)) {
            const calls = kind.calls(client, undefined);
            const params = await filled(client, template.definition, definition.needs);
            const made = await calls.create?.(params);
            assert.ok(made !== undefined, template.label);
            assert.deepEqual(made.ignored ?? [], [], template.label);
            const before: Definition = toDefinition(made.data, definition);
            assert.equal(definition.problem?.(before, before, context.translate), undefined);
            assert.ok(toDefinitionText(before).endsWith('}\n'));
            const { fields, changed } = toPatch(
              before,
              { ...before, [naming]: 'Renamed', metadata: { team: 'infra' } },
              definition.version?.(made.data),
            );
            assert.deepEqual([...changed].sort(), [naming, 'metadata'].sort());
            const updated = await calls.update?.(made.data.id, fields);
            assert.ok(updated !== undefined);
            assert.equal(updated.ignored, undefined);
            const after: Definition = toDefinition(updated.data, definition);
            assert.deepEqual(toPatch(before, after).changed.toSorted(), [naming, 'metadata'].sort());
          }
        });
      }
    });
  }

  it('is in the documentation, each group of the view by its title', () => {
    const page = readFileSync('docs/agents-and-resources.md', 'utf8');
    for (const kind of kinds) {
      const title = kind.title(context.translate);
      assert.ok(page.includes(`**${title}**`) || page.includes(`\n## ${title}\n`), kind.kind);
    }
  });
});

/** Returns a template with the fields of the first choice for each of its needs. */
async function filled(client: ServiceClient, template: Definition, needs: readonly Need[] = []): Promise<Definition> {
  const chosen = await Promise.all(needs.map(async need => (await need.choices(client, context, template))?.[0]?.fields));
  return Object.assign({}, template, ...chosen);
}

function checkRow(kind: ResourceKind, value: Resource): void {
  const row = kind.row(value, context);
  assert.notEqual(row.label, '');
  assert.ok(row.spoken.startsWith(row.label), row.spoken);
  assert.match(row.abilities, /\bresource\b/);
  for (const text of [row.label, row.description, row.spoken]) {
    assert.ok(![...text].some(isHidden), text);
  }
  for (const text of [toHover(kind, value, 'Lab', context), toPage(kind, value, 'Lab', context)]) {
    assert.doesNotMatch(text, /(?<!\\)<img|(?<!\\)\]\(command:|(?<!\\)\$\(zap/);
    assert.ok(![...text].some(character => character !== '\n' && isHidden(character)), text);
  }
}

function isHidden(character: string): boolean {
  return character === '\u202e' || character < ' ';
}
