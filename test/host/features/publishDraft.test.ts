import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ignoredFields } from '../../../src/client/ignoredFields';
import type { Deployment } from '../../../src/client/resources/deployments';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { PagedList } from '../../../src/common/lists/pagedList';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import type { Connection } from '../../../src/features/connection';
import { toDefinition, toDefinitionText } from '../../../src/features/resources/definitions/definitionText';
import { type Draft, Drafts } from '../../../src/features/resources/definitions/drafts';
import { createFrom, publishDraft } from '../../../src/features/resources/documents/publishDraft';
import { agents } from '../../../src/features/resources/kinds/agents';
import { deployments } from '../../../src/features/resources/kinds/deployments';
import { environments } from '../../../src/features/resources/kinds/environments';
import type { ResourceFlow } from '../../../src/features/resources/resourceFlow';
import type { Resource, ResourceKind } from '../../../src/features/resources/resourceKind';
import { contractClient } from '../../helpers/emulatorClient';

const token = 'CANARY-token-of-a-repository';

describe('publishing a draft', () => {
  const { showQuickPick, showInformationMessage, showInputBox } = vscode.window;
  const { executeCommand } = vscode.commands;
  const connection = { name: 'Lab' } as Connection;
  let emulator: Emulator;
  let client: ServiceClient;
  let folder: string;
  let drafts: Drafts;
  /** Asked questions. `answers` has the start of the button label to press for each question. */
  let asked: string[];
  let answers: string[];
  /** Runs while the question before publishing is open. */
  let meanwhile: () => Promise<void>;
  let passwords: string[];
  let diffs: string[];

  const service = { reach: async () => ({ connection, client }) };

  before(async () => {
    emulator = await startEmulator();
    client = contractClient(emulator);
    folder = mkdtempSync(path.join(os.tmpdir(), 'drafts-'));
    drafts = new Drafts(folder);
  });

  beforeEach(() => {
    [asked, answers, passwords, diffs] = [[], [], [], []];
    meanwhile = async () => {};
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[], { title }: vscode.QuickPickOptions) => {
        asked.push(title ?? '');
        const label = answers.shift() ?? assert.fail(`nothing answers: ${title}`);
        return items.find(item => item.label.includes(label)) ?? assert.fail(`${title} does not offer ${label}`);
      },
      showInformationMessage: async (message: string, ...buttons: readonly string[]) => {
        asked.push(message);
        await meanwhile();
        const label = answers.shift() ?? assert.fail(`nothing answers: ${message}`);
        return buttons.find(button => button === label) ?? assert.fail(`${message} does not offer ${label}`);
      },
      showInputBox: async ({ prompt, password }: vscode.InputBoxOptions) => {
        assert.ok(password, prompt);
        passwords.push(prompt ?? '');
        return token;
      },
    });
    Object.assign(vscode.commands, {
      executeCommand: async (id: string, ...args: readonly unknown[]) => {
        if (id !== 'vscode.diff') {
          return await executeCommand(id, ...args);
        }
        diffs.push(String(args[2]));
        return undefined;
      },
    });
  });

  afterEach(() => {
    emulator.setScenario({ faults: [] });
    Object.assign(vscode.window, { showQuickPick, showInformationMessage, showInputBox });
    Object.assign(vscode.commands, { executeCommand });
  });

  after(async () => {
    await client.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  });

  /** Starts a draft from the current state of a resource, changed by `edit`. */
  async function begin<T extends Resource>(kind: ResourceKind<T>, value: T, edit: object): Promise<Draft> {
    const definition = kind.definition ?? assert.fail();
    const base = toDefinition(value, definition);
    const draft = {
      ...{
        id: value.id,
        connection: 'Lab',
        kind: kind.kind,
        name: kind.name(value),
        text: toDefinitionText({ ...base, ...edit }),
        savedAt: 0,
      },
      base: { text: toDefinitionText(base), version: definition.version?.(value) },
    };
    await drafts.save(draft);
    return draft;
  }

  async function publish<T extends Resource>(kind: ResourceKind<T>, draft: Draft): Promise<void> {
    const list = new PagedList<T>();
    list.reset('Lab');
    const uri = vscode.Uri.parse(`untitled:${draft.id}`);
    const listing = { kind, connection: 'Lab', list };
    const files = {
      ...{ uriOf: () => uri, open: async () => undefined, touch: () => undefined, updateListed: () => undefined },
      snapshot: (name: string) => vscode.Uri.parse(`untitled:${name}`),
    };
    const store = { all: () => [], listOf: () => listing, put: () => undefined };
    const flow = { service, drafts, files, store } as unknown as ResourceFlow;
    await publishDraft(flow, { connection: 'Lab', kind: kind.kind, id: draft.id }, draft);
  }

  const createFromFile = (definition: object, through: object = service) => {
    const flow = { service: through, drafts } as unknown as ResourceFlow;
    return createFrom(flow, deployments, 'Lab', { text: JSON.stringify(definition), location: 'shop.deployment.json' });
  };
  const agent = async (fields: object = {}) =>
    (await client.agents.create({ name: 'Printer', model: 'vendor-opus-5', system: 'You keep books.\nYou are quiet.', ...fields })).data;
  const updates = (id: string) => emulator.requests.filter(({ method, path: at }) => method === 'POST' && at.includes(id)).length;

  it('shows the difference, asks, and sends only changes, as the next version', async () => {
    const value = await agent();
    const draft = await begin(agents, value, { description: 'Prints' });
    answers = ['Publish Version 2'];
    await publish(agents, draft);
    assert.deepEqual(diffs, ['Printer: version 1 ↔ your draft']);
    assert.match(asked.join(), /^Publish Printer as version 2\? .*description.*Lab/);
    const { data } = await client.agents.retrieve(value.id);
    assert.deepEqual([data.version, data.description, data.name], [2, 'Prints', 'Printer']);
    assert.equal(updates(value.id), 1);
    assert.equal(drafts.find(draft.id), undefined);
  });

  it('shows a changed long text as a separate document, beside the definition only if more changes', async () => {
    const value = await agent();
    const system = 'You keep many books.\nYou are quiet.';
    answers = ['Publish Version 2', 'Publish Version 3'];
    await publish(agents, await begin(agents, value, { system }));
    assert.deepEqual(diffs, ['system - Printer: version 1 ↔ your draft']);
    diffs = [];
    await publish(agents, await begin(agents, (await client.agents.retrieve(value.id)).data, { system: 'One.\nTwo.', name: 'Clerk' }));
    assert.deepEqual(diffs, ['Printer: version 2 ↔ your draft', 'system - Printer: version 2 ↔ your draft']);
  });

  it('sends nothing and keeps the draft if the user continues editing', async () => {
    const value = await agent();
    const draft = await begin(agents, value, { description: 'Prints' });
    answers = ['Keep Editing'];
    await assert.rejects(publish(agents, draft), { name: 'CancelledError' });
    assert.equal(updates(value.id), 0);
    assert.deepEqual(drafts.find(draft.id), draft);
  });

  it("doesn't publish outdated text when the draft was changed during the question", async () => {
    const value = await agent();
    const draft = await begin(agents, value, { description: 'Prints' });
    const edited = { ...draft, text: draft.text.replace('Prints', 'Prints much') };
    meanwhile = () => drafts.save(edited);
    answers = ['Publish Version 2'];
    await assert.rejects(publish(agents, draft), /The draft has changed/);
    assert.equal(updates(value.id), 0);
    assert.deepEqual(drafts.find(draft.id), edited);
  });

  it('merges it with a version published meanwhile, and asks about each conflict', async () => {
    const value = await agent();
    const draft = await begin(agents, value, { name: 'Head Printer', system: 'You keep many books.\nYou are quiet.' });
    await client.agents.update(value.id, { version: 1, name: 'Chief Printer', description: 'Knows every press' });
    answers = ['Merge', 'Use Mine', 'Publish Version 3'];
    await publish(agents, draft);
    assert.deepEqual(asked.slice(0, 2), ['Version 2 of Chief Printer was published in the meantime', 'Conflict in name (1 of 1)']);
    assert.match(asked.slice(2).join(), /^Publish Chief Printer as version 3\?/);
    const { data } = await client.agents.retrieve(value.id);
    assert.deepEqual(
      [data.name, data.description, data.system],
      ['Head Printer', 'Knows every press', 'You keep many books.\nYou are quiet.'],
    );
  });

  it('asks about a conflict in a notification, so that its diff stays visible', async () => {
    const value = await agent();
    const draft = await begin(agents, value, { name: 'Clerk', system: 'You keep many books.\nYou are quiet.' });
    await client.agents.update(value.id, { version: 1, system: 'You keep few books.\nYou are quiet.' });
    answers = ['Merge', 'Use Theirs', 'Publish Version 3'];
    meanwhile = async () => assert.equal(diffs[0], 'system: Version 2 ↔ Your Draft');
    await publish(agents, draft);
    assert.equal(asked[1], 'Conflict in system (1 of 1)');
    const { data } = await client.agents.retrieve(value.id);
    assert.deepEqual([data.name, data.system], ['Clerk', 'You keep few books.\nYou are quiet.']);
  });

  it('does so too for a kind without versions', async () => {
    const { data: value } = await client.environments.create({ name: 'Shared', config: { type: 'cloud' } });
    const draft = await begin(environments, value, { name: 'Ours' });
    await client.environments.update(value.id, { description: 'Used by all' });
    answers = ['Merge', 'Publish'];
    await publish(environments, draft);
    assert.equal(asked[0], 'Shared has changed on the service');
    const { data } = await client.environments.retrieve(value.id);
    assert.deepEqual([data.name, data.description], ['Ours', 'Used by all']);
  });

  it("keeps the draft and shows the service's error", async () => {
    const value = await agent();
    const draft = await begin(agents, value, { description: 'Prints' });
    emulator.setScenario({ faults: [{ name: 'serverError', route: 'agents.update' }] });
    answers = ['Publish Version 2'];
    await assert.rejects(publish(agents, draft), /500/);
    assert.deepEqual(drafts.find(draft.id), draft);
    assert.equal((await client.agents.retrieve(value.id)).data.version, 1);
  });

  it('reports what no service accepts before it asks, and keeps the draft', async () => {
    const { data: value } = await client.environments.create({ name: 'Rented', config: { type: 'cloud' } });
    const draft = await begin(environments, value, { config: { type: 'self_hosted' } });
    await assert.rejects(publish(environments, draft), /can't be changed to/);
    assert.deepEqual([asked, updates(value.id)], [[], 0]);
    assert.deepEqual(drafts.find(draft.id), draft);
  });

  it("asks for a repository's token when it is sent, and stores it in no draft", async () => {
    const [environment] = (await client.environments.list({ limit: 1 })).items;
    const repository = (name: string) => [{ type: 'git_repository', url: `https://git.example.com/${name}.git` }];
    const definition = {
      ...{ name: 'Repository', agent: (await agent()).id, environment_id: environment?.id, resources: repository('shop') },
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Go' }] }],
    };
    answers = ['Create'];
    const created = await createFromFile(definition);
    assert.equal(passwords.length, 1);

    const draft = await begin(deployments, created, { resources: repository('store') });
    answers = ['Publish'];
    await publish(deployments, draft);
    assert.equal(passwords.length, 2);
    const { data } = await client.deployments.retrieve(created.id);
    assert.deepEqual(
      data.resources?.map(({ url }) => url),
      ['https://git.example.com/store.git'],
    );
    assert.doesNotMatch(JSON.stringify([draft, created, data]), /CANARY/);
  });

  it("reports first a budget that the service didn't store, and pauses the deployment on request", async () => {
    const [environment] = (await client.environments.list({ limit: 1 })).items;
    const definition = {
      ...{ name: 'Spender', agent: (await agent()).id, environment_id: environment?.id, description: 'Spends' },
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Go' }] }],
      budget: { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } },
    };
    // Like a recorded service that ignored only the budget.
    const create = async ({ budget: _, ...rest }: Record<string, unknown>) => ({
      ...(await client.deployments.create(rest)),
      ignored: ignoredFields(definition, rest),
    });
    const dropping = { ...client, deployments: { ...client.deployments, create: create as never } };
    const told: string[] = [];
    const { showWarningMessage } = vscode.window;
    Object.assign(vscode.window, {
      showWarningMessage: async (message: string, options: vscode.MessageOptions, button: string) => {
        assert.equal(options.modal, true);
        told.push(message);
        return button;
      },
    });
    try {
      answers = ['Create'];
      const reach = async () => ({ connection, client: dropping });
      const created = await createFromFile(definition, { reach });
      assert.match(told.join(), /^The service ignored the budget of Spender, so its cost is unlimited\./);
      assert.deepEqual([(created as Deployment).status, (await client.deployments.retrieve(created.id)).data.status], ['paused', 'paused']);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
  });

  it('keeps the draft of a deployment whose agent is archived meanwhile', async () => {
    const [environment] = (await client.environments.list({ limit: 1 })).items;
    const { data: value } = await client.deployments.create({
      ...{ name: 'Leaver', agent: (await agent()).id, environment_id: environment?.id },
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Go' }] }],
    });
    const leaving = await agent();
    const draft = await begin(deployments, value, { agent: { type: 'agent', id: leaving.id } });
    await client.agents.archive(leaving.id);
    answers = ['Publish'];
    await assert.rejects(publish(deployments, draft), /is archived/);
    assert.deepEqual(drafts.find(draft.id), draft);
  });
});
