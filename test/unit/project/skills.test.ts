import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Contribution {
  readonly name?: string;
  readonly description?: string;
  readonly path: string;
  readonly when?: string;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: {
    readonly chatSkills: readonly Contribution[];
    readonly chatPromptFiles: readonly Contribution[];
    readonly languageModelTools: readonly { readonly name: string; readonly inputSchema: { readonly properties: object } }[];
    readonly commands: readonly { readonly title: string }[];
  };
};
const titles = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
const { chatSkills, chatPromptFiles, languageModelTools, commands } = manifest.contributes;
const all = [...chatSkills, ...chatPromptFiles];
const tools = new Map(languageModelTools.map(({ name, inputSchema }) => [name.replace('managed-agents_', ''), inputSchema.properties]));
const commandTitles = new Set(commands.map(({ title }) => titles[title.slice(1, -1)]));

function read({ path }: Contribution): { readonly head: Readonly<Record<string, unknown>>; readonly body: string } {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(path, 'utf8')) ?? [];
  return { head: parse(head) as Readonly<Record<string, unknown>>, body };
}

describe('project/skills', () => {
  it('are in the manifest as they stand in media, each name once', () => {
    const paths = [
      ...readdirSync('media/skills').map(name => `./media/skills/${name}/SKILL.md`),
      ...readdirSync('media/prompts').map(name => `./media/prompts/${name}`),
    ];
    assert.deepEqual(all.map(({ path }) => path).sort(), paths.sort());
    const names = all.map(one => read(one).head.name);
    assert.equal(new Set(names).size, names.length);
    assert.ok(all.every(({ path }) => existsSync(path)));
  });

  it('have the head that VS Code wants: the name of their folder or file, and what they are for', () => {
    for (const one of all) {
      const { head } = read(one);
      const folderOrFile = /([^/]+)(?:\/SKILL|\.prompt)\.md$/.exec(one.path)?.[1];
      assert.equal(head.name, folderOrFile, one.path);
      assert.match(String(head.name), /^[a-z][a-z-]{2,63}$/);
      assert.ok(typeof head.description === 'string' && head.description.length >= 40 && head.description.length <= 1024, one.path);
    }
    for (const skill of chatSkills) {
      // Others are chosen by it alone: it says when.
      assert.match(String(read(skill).head.description), /Use when the user/);
    }
    // The oldest supported VS Code takes no prompt file without a name and a description of its own.
    assert.deepEqual(
      chatPromptFiles.map(({ name, description = '' }) => [name, titles[description.slice(1, -1)]]),
      chatPromptFiles.map(one => [read(one).head.name, read(one).head.description]),
    );
  });

  it('are offered where the tools are that they lead through', () => {
    const clauses = new Set(all.map(({ when }) => when));
    assert.deepEqual([...clauses], ['isWorkspaceTrusted && config.managedAgents.ai.tools =~ /^(?:read|full)$/']);
    for (const skill of chatSkills) {
      // Versions of VS Code that know no clause show them always.
      assert.match(read(skill).body, /^\n# [^\n]+\n\nWorks only with the tools of the Managed Agents extension/);
    }
  });

  it('name only tools, inputs, skills and commands that exist', () => {
    const used = new Set<string>();
    for (const one of all) {
      const { body } = read(one);
      for (const [, name = ''] of body.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)) {
        if (tools.has(name)) {
          used.add(name);
        } else {
          assert.ok(!name.includes('_') || /^(?:custom_id|max_tokens)$/.test(name), `${one.path}: ${name}`);
        }
      }
      for (const [, name = ''] of body.matchAll(/the skill `([^`]+)`/g)) {
        assert.ok(
          chatSkills.some(skill => read(skill).head.name === name),
          `${one.path}: ${name}`,
        );
      }
      for (const [, title = ''] of body.matchAll(/"Managed Agents: ([^"]+)"/g)) {
        assert.ok(commandTitles.has(title), `${one.path}: ${title}`);
      }
      for (const [, input = ''] of body.matchAll(/`(only|state|kinds|after|newestFirst|row|rows|template|output)[:`]/g)) {
        assert.ok(
          [...tools.values()].some(properties => input in properties),
          `${one.path}: ${input}`,
        );
      }
    }
    assert.deepEqual([...used].sort(), [...tools.keys()].sort());
  });

  it('send nothing without a person, and follow no words of others', () => {
    for (const one of chatSkills) {
      assert.match(read(one).body, /\b(?:is|are) data\b/, one.path);
    }
    const spending = all.filter(one => /propose_batch/.test(read(one).body));
    assert.ok(spending.length >= 2);
    for (const one of spending) {
      assert.match(read(one).body, /press/, one.path);
    }
  });
});
