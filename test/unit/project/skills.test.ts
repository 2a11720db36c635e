import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Contribution {
  readonly name?: string;
  readonly description?: string;
  readonly path: string;
  readonly when: string;
}

const { chatSkills, chatPromptFiles, languageModelTools, commands } = (
  JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: {
      readonly chatSkills: readonly Contribution[];
      readonly chatPromptFiles: readonly Contribution[];
      readonly languageModelTools: readonly { readonly name: string; readonly inputSchema: { readonly properties: object } }[];
      readonly commands: readonly { readonly title: string }[];
    };
  }
).contributes;
const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
const titles = new Set(commands.map(({ title }) => texts[title.slice(1, -1)]));
const tools = languageModelTools.map(({ name }) => name.replace('managed-agents_', ''));
const inputs = new Set(languageModelTools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties)));
const all = [...chatSkills, ...chatPromptFiles].map(one => {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(one.path, 'utf8')) ?? [];
  return { ...one, head: parse(head) as Readonly<Record<string, string>>, body };
});
const skills = all.slice(0, chatSkills.length);

describe('project/skills', () => {
  it('are in the manifest and in media, with the front matter that VS Code needs', () => {
    const paths = [
      ...readdirSync('media/skills').map(name => `./media/skills/${name}/SKILL.md`),
      ...readdirSync('media/prompts').map(name => `./media/prompts/${name}`),
    ];
    assert.deepEqual(all.map(one => one.path).sort(), paths.sort());
    assert.equal(new Set(all.map(({ head }) => head.name)).size, all.length);
    for (const { head, path } of all) {
      assert.equal(head.name, /([a-z][a-z-]{2,63})(?:\/SKILL|\.prompt)\.md$/.exec(path)?.[1], path);
      assert.ok((head.description ?? '').length <= 1024, path);
      // Models choose a skill by its description.
      assert.match(head.description ?? '', path.endsWith('SKILL.md') ? /Use when the user/ : /\w/, path);
    }
    // The oldest supported VS Code needs the name and the description of a prompt file in the manifest.
    for (const { name, description = '', head, path } of all.slice(skills.length)) {
      assert.deepEqual([name, texts[description.slice(1, -1)]], [head.name, head.description], path);
    }
  });

  it('are offered where their tools are', () => {
    const clauses = new Set(all.map(({ when }) => when));
    assert.deepEqual([...clauses], ['isWorkspaceTrusted && config.managedAgents.ai.tools =~ /^(?:read|full)$/']);
    for (const { body, path } of skills) {
      // Some versions of VS Code ignore the `when` clause, so each skill names the tools that it needs.
      assert.match(body, /^\n# [^\n]+\n\nWorks only with the tools of the Managed Agents extension/, path);
    }
  });

  it('name only tools, inputs, skills and commands that exist', () => {
    const named = (pattern: RegExp) => all.flatMap(({ body }) => [...body.matchAll(pattern)].map(([, name = '']) => name));
    const missing = (pattern: RegExp, isKnown: (name: string) => boolean) => named(pattern).filter(name => !isKnown(name));
    const words = named(/`([a-z]+(?:_[a-z]+)*)`/g);
    assert.deepEqual([...new Set(words.filter(word => tools.includes(word)))].sort(), [...tools].sort());
    const others = ['custom_id', 'max_tokens'];
    assert.deepEqual(
      words.filter(word => word.includes('_') && ![...tools, ...others].includes(word)),
      [],
    );
    assert.deepEqual(
      missing(/the skill `([^`]+)`/g, name => skills.some(({ head }) => head.name === name)),
      [],
    );
    assert.deepEqual(
      missing(/"Managed Agents: ([^"]+)"/g, name => titles.has(name)),
      [],
    );
    assert.deepEqual(
      missing(/`(only|state|kinds|after|newestFirst|row|rows|template|output)[:`]/g, name => inputs.has(name)),
      [],
    );
  });

  it("send nothing without a person, and treat other people's text as data", () => {
    assert.ok(skills.every(({ body }) => /\b(?:is|are) data\b/.test(body)));
    const spending = all.filter(({ body }) => body.includes('propose_batch'));
    assert.ok(spending.length >= 2 && spending.every(({ body }) => body.includes('press')));
  });
});
