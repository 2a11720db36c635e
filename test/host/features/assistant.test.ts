import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { toolLevels } from '../../../src/features/assistant/toolLevel';
import { assistantTools } from '../../../src/features/assistant/tools';
import { eventuallyHolds } from '../eventually';
import { useExtension, withSetting } from '../useExtension';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';
const setting = 'managedAgents.ai.tools';
const request = (id: string, content: string, more: object = {}) =>
  `${JSON.stringify({ custom_id: id, params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content }], ...more } })}\n`;

async function call(name: string, input: unknown, token?: vscode.CancellationToken): Promise<string> {
  const options = { input: input as object, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(`managed-agents_${name}`, options, token);
  return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : assert.fail('another part'))).join('');
}

describe('tools for language models in the extension host', () => {
  const files = useExtension('assistant');
  const isOldest = vscode.version.startsWith('1.105.');

  it('have skills and prompt files, which VS Code lists', async () => {
    if (isOldest) {
      // The oldest supported version has no skills, and no command that lists prompt files.
      return;
    }
    const list = 'vscode.extensionPromptFileProvider';
    await eventuallyHolds(async () => {
      const found = await vscode.commands.executeCommand<readonly { uri: vscode.Uri; type: string; extensionId: string }[]>(list);
      const paths = found
        .filter(({ extensionId }) => extensionId.toLowerCase() === 'managed-agents.managed-agents')
        .map(({ uri, type }) => `${type} ${uri.path.split('/').slice(-2).join('/')}`);
      assert.deepEqual(paths.sort(), [
        'prompt prompts/batch-of-rows.prompt.md',
        'prompt prompts/failures-of-batch.prompt.md',
        'prompt prompts/sessions-that-need-me.prompt.md',
        'skill explain-batch-failures/SKILL.md',
        'skill read-agent-session/SKILL.md',
        'skill run-message-batch/SKILL.md',
        'skill write-batch-template/SKILL.md',
      ]);
    });
  });

  const ours = () => vscode.lm.tools.filter(({ name }) => name.startsWith('managed-agents_'));

  after(async () => {
    await vscode.workspace.getConfiguration().update(setting, undefined, vscode.ConfigurationTarget.Workspace);
  });

  it('match the table, and below their level explain why they do nothing', async () => {
    for (const level of toolLevels) {
      await withSetting(setting, level, async () => {
        const allowed = assistantTools.filter(({ needs }) => toolLevels.indexOf(needs) <= toolLevels.indexOf(level));
        const names = new Set(ours().map(({ name }) => name));
        // Newer versions also list tools that a when clause hides from models.
        assert.deepEqual(
          [...names].filter(name => !assistantTools.some(tool => name === `managed-agents_${tool.name}`)),
          [],
        );
        await eventuallyHolds(() => {
          const listed = new Set(ours().map(({ name }) => name));
          assert.deepEqual(
            allowed.filter(({ name }) => !listed.has(`managed-agents_${name}`)),
            [],
          );
          // The oldest supported version lists exactly the allowed tools.
          assert.ok(!isOldest || listed.size === allowed.length, [...listed].join());
        });
        for (const { name } of assistantTools.filter(tool => !allowed.includes(tool) && tool.question === undefined)) {
          // The extension is notified of the setting a moment after it was written.
          await eventuallyHolds(async () =>
            assert.match(await call(name, {}), new RegExp(`${name} is turned off: .* but it is \\\\"${level}\\\\"`)),
          );
        }
      });
    }
  });

  it('are lowered by a workspace, and never raised', async () => {
    const workspace = async (value: string | undefined) =>
      await vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Workspace);
    files.write('level.jsonl', request('a', 'Hi'));
    const input = { file: 'assistant/level.jsonl' };
    const answers = (words: RegExp) => eventuallyHolds(async () => assert.match(await call('check_requests', input), words));
    await workspace('off');
    await answers(/is turned off/);
    await workspace('full');
    await answers(/"requests":1/);
    await withSetting(setting, 'off', () => answers(/is turned off/));
    await workspace(undefined);
  });

  it('check, estimate and preview files without secrets in their results', async () => {
    files.write('leaky.jsonl', request('a', `The header is Authorization: Bearer ${canary}`, { [canary]: 1 }) + request('a', 'Hi'));
    files.write('leaky.csv', `id,question\na,The key is ${canary}\n`);
    files.write('leaky.batch-template.json', request('{{id}}', '{{question}}'));
    const file = 'assistant/leaky.jsonl';
    const results = [
      await call('check_requests', { file }),
      await call('estimate_batch', { file }),
      await call('preview_build', { rows: 'assistant/leaky.csv', template: 'assistant/leaky.batch-template.json' }),
    ];
    for (const text of results) {
      assert.match(text, /^---\ntool: \w+\nuntrusted: true\n/);
      assert.ok(!text.includes(canary), text);
    }
    assert.match(results[0] ?? '', /"rule":"duplicate-id"/);
    assert.match(results[2] ?? '', /"custom_id":"a"/);
  });

  it("read the editor's unsaved text", async () => {
    const document = await files.open('edited.jsonl', request('a', 'Hi'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), request('b', 'Hi'));
    await vscode.workspace.applyEdit(edit);
    assert.match(await call('check_requests', { file: 'assistant/edited.jsonl' }), /"requests":2/);
  });

  it('explain invalid input, which VS Code passes on unchecked', async () => {
    for (const input of [{}, { file: 7 }, { file: 'a.jsonl', maxProblems: 'many' }, { file: 'a.jsonl', also: true }]) {
      assert.match(await call('check_requests', input), /Invalid input for .*, so nothing was done/);
    }
    assert.match(await call('check_requests', { file: '../../etc/passwd' }), /File not found in the workspace/);
    assert.match(await call('query_results', { file: 'assistant/none.jsonl' }), /File not found in the workspace/);
    assert.match(await call('list_batches', { connection: 'Nobody' }), /Unknown connection/);
  });

  it('respect their size limit for any file', async () => {
    files.write(
      'huge.jsonl',
      Array.from({ length: 500 }, (_, at) => request(`i${at}`, 'Hi', { [`field_${at}_${'x'.repeat(2_000)}`]: 1 })).join(''),
    );
    const text = await call('check_requests', { file: 'assistant/huge.jsonl', maxProblems: 50 });
    assert.ok(text.length <= 8_000, String(text.length));
    assert.match(text, /truncated: true/);
    const tokensOf = (text: string) => Math.ceil(text.length / 3);
    const { content } = await vscode.lm.invokeTool('managed-agents_check_requests', {
      input: { file: 'assistant/huge.jsonl' },
      toolInvocationToken: undefined,
      tokenizationOptions: { tokenBudget: 600, countTokens: async text => tokensOf(text) },
    });
    const [part] = content;
    assert.ok(part instanceof vscode.LanguageModelTextPart && tokensOf(part.value) <= 600);
  });

  it('end when they are canceled, before or during the call', async () => {
    files.write('cancelled.jsonl', Array.from({ length: 20_000 }, (_, at) => request(`i${at}`, 'Hi')).join(''));
    const input = { file: 'assistant/cancelled.jsonl' };
    const before = new vscode.CancellationTokenSource();
    before.cancel();
    await assert.rejects(call('check_requests', input, before.token));
    const meanwhile = new vscode.CancellationTokenSource();
    const calling = call('check_requests', input, meanwhile.token);
    meanwhile.cancel();
    await assert.rejects(calling);
  });

  it('write new files in the workspace, and never overwrite one', async () => {
    files.write('twice.jsonl', request('a', 'Hi') + request('a', 'Hi again'));
    const input = { file: 'assistant/twice.jsonl', fixes: ['unique-id'], output: 'assistant/once.jsonl' };
    assert.match(await call('write_requests', input), /"written":"assistant\/once\.jsonl"/);
    const first = files.read('once.jsonl');
    assert.match(await call('write_requests', input), /already exists\. Give another output/);
    assert.equal(files.read('once.jsonl'), first);
    assert.match(await call('write_requests', { ...input, output: '../once.jsonl' }), /Nothing was written/);
    assert.equal(existsSync(files.at('../../once.jsonl')), false);
  });

  it('show a line of a file', async () => {
    files.write('shown.jsonl', request('a', 'Hi') + request('b', 'Hi'));
    assert.match(await call('show', { kind: 'file', file: 'assistant/shown.jsonl', line: 2 }), /"shown":"file"/);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
  });
});
