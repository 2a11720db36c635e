import type { Line } from '../line';
import type { CallOutcome, StoredCall, ToolCall } from '../lineCalls';
import { numberIn, type Scripts } from './script';

const listing =
  'total 12\n-rw-r--r-- 1 agent agent  512 README.md\ndrwxr-xr-x 2 agent agent 4096 src\n-rw-r--r-- 1 agent agent  893 package.json\n';

export function builtin(name: string, input: ToolCall['input'], result: ToolCall['result'], more: Partial<ToolCall> = {}): ToolCall {
  return { kind: 'builtin', name, input, result, ...more };
}

function bash(command: string, more: Partial<ToolCall> = {}): ToolCall {
  const known = /^\s*ls\b/.test(command) ? listing : `$ ${command}\nemulated: nothing was run\n`;
  return builtin('bash', { command }, known, more);
}

function read(path: string): ToolCall {
  const lines = ['# Sample', '', 'A file that the emulator made up.', 'It has four lines.'];
  return builtin('read', { file_path: path }, lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join('\n'));
}

function write(path: string, content: string): ToolCall {
  return builtin('write', { file_path: path, content }, `Wrote ${content.length} bytes.`);
}

/** Calls tools in one model request after `before`. Returns the outcome of each call. */
async function callTools(line: Line, before: () => Promise<void>, calls: readonly ToolCall[]): Promise<readonly CallOutcome[]> {
  let stored: readonly StoredCall[] = [];
  await line.request(async () => {
    await before();
    stored = await line.calls.make(...calls);
  });
  return line.calls.finish(stored);
}

/** Emits a message, calls tools, and reports their outcomes. */
export async function useTools(line: Line, before: string, calls: readonly ToolCall[]): Promise<void> {
  const outcomes = await callTools(line, () => line.say(before), calls);
  await line.request(async () => {
    const denied = outcomes.filter(({ isAllowed }) => !isAllowed);
    const failed = outcomes.filter(({ isAllowed, isError }) => isAllowed && isError);
    await line.say(
      denied.length > 0
        ? `${denied.map(({ text }) => text).join(' ')} I leave it as it is.`
        : failed.length > 0
          ? `That failed: ${failed.map(({ text }) => text).join(' ')}`
          : `Done. ${outcomes.length === 1 ? 'The tool' : 'Each tool'} answered:\n\n\`\`\`\n${outcomes.map(({ text }) => text.slice(0, 400)).join('\n')}\n\`\`\``,
    );
  });
}

/** Returns the custom tool of the agent that a script calls: the tool `wanted`, or the first tool. */
function customTool(line: Line, wanted: string): { readonly name: string; readonly properties: readonly string[] } {
  const tools = line.agent.tools.filter(tool => tool.type === 'custom') as { readonly name?: unknown; readonly input_schema?: unknown }[];
  const tool = tools.find(({ name }) => name === wanted) ?? tools[0];
  const schema = tool?.input_schema as { readonly properties?: object | null } | undefined;
  return { name: typeof tool?.name === 'string' ? tool.name : 'get_price', properties: Object.keys(schema?.properties ?? { item: {} }) };
}

export const toolScripts: Scripts = {
  bash: {
    takes: 'COMMAND',
    what: 'calls the bash tool; asks first when the agent must',
    run: (line, rest) => useTools(line, 'I will run a command.', [bash(rest || 'ls -l')]),
  },
  read: {
    takes: 'PATH',
    what: 'calls the read tool; asks first when the agent must',
    run: (line, rest) => useTools(line, 'I look into the file.', [read(rest || 'README.md')]),
  },
  ask: {
    takes: 'COMMAND',
    what: 'asks before it runs a command, whatever the agent may do',
    run: (line, rest) =>
      useTools(line, 'This needs your permission.', [bash(rest || 'rm -rf build && npm run build', { alwaysAsks: true })]),
  },
  two: {
    what: 'asks for two things at once',
    run: line =>
      useTools(line, 'I need two permissions.', [
        bash('npm test', { alwaysAsks: true }),
        builtin(
          'write',
          { file_path: '/workspace/notes.md', content: '# Notes\n\n- first\n- second\n' },
          'Wrote 26 bytes to /workspace/notes.md',
          { alwaysAsks: true },
        ),
      ]),
  },
  judge: {
    what: 'the service itself decides about three commands: it allows one, denies one and asks about one',
    run: line =>
      useTools(
        line,
        'I clean up and deploy.',
        ['npm run build', 'rm -rf /workspace/.cache', './deploy.sh staging'].map(command => bash(command, { isJudged: true })),
      ),
  },
  loop: {
    takes: 'TIMES',
    what: 'makes the same call 3 times, or as often as you say, then is silent for 10 minutes: to be interrupted',
    run: async (line, rest) => {
      const times = numberIn(rest, 0, 3, 100);
      for (let time = 0; time < times; time++) {
        await callTools(line, async () => {}, [bash('npm test', { result: '2 tests fail\n' })]);
      }
      await line.sleep(10 * 60_000);
      await line.reply('I give up: the tests still fail.');
    },
  },
  broken: {
    what: 'calls a tool that fails',
    run: line =>
      useTools(line, 'I try something.', [
        bash('cat missing.txt', { result: 'cat: missing.txt: No such file or directory\n', isError: true }),
      ]),
  },
  steps: {
    takes: 'N',
    what: 'works in N steps of thinking and tools, 5 unless you say otherwise',
    run: async (line, rest) => {
      const steps = numberIn(rest, 0, 5, 2000);
      for (let step = 1; step <= steps; step++) {
        const file = `src/part${step}.ts`;
        await callTools(line, () => line.think(), [step % 2 === 1 ? read(file) : bash(`wc -l ${file}`)]);
        await line.breathe();
      }
      await line.reply(`I took **${steps} steps** and found what I was looking for:\n\n- every part is there\n- nothing is missing`);
    },
  },
  edit: {
    takes: 'PATH',
    what: 'edits a file: arguments of many lines',
    run: (line, rest) =>
      useTools(line, 'I change the file.', [
        builtin(
          'edit',
          {
            file_path: rest || '/workspace/src/greeting.ts',
            old_string: "export function greet(name: string) {\n  return 'Hello ' + name;\n}\n",
            new_string: "export function greet(name: string): string {\n  return 'Hello, ' + name + '!';\n}\n",
          },
          'The file was changed in 1 place.',
        ),
      ]),
  },
  search: {
    takes: 'WORDS',
    what: 'searches the web and answers with a search result',
    run: (line, rest) => {
      line.countWebSearch();
      return useTools(line, 'I search the web.', [
        builtin('web_search', { query: rest || 'managed agents' }, [
          {
            type: 'search_result',
            source: 'https://example.com/managed-agents',
            title: 'Managed agents, explained',
            content: [{ type: 'text', text: 'An agent that runs on a service, in a session, with an event log.' }],
            citations: { enabled: true },
          },
        ]),
      ]);
    },
  },
  file: {
    takes: 'NAME',
    what: 'writes a file that can be downloaded from the service',
    run: async (line, rest) => {
      const filename = rest.split(/[\\/]/).at(-1) || 'report.md';
      const content = `# Report\n\nMade by session ${line.session.record.id}.\n`;
      await useTools(line, 'I write a report.', [write(`/mnt/session/outputs/${filename}`, content)]);
      const { clock, files } = line.session.parts;
      const file = { filename, mimeType: 'text/markdown', content: Buffer.from(content), sessionId: line.session.record.id };
      await clock.during(files.create(file));
    },
  },
  remember: {
    takes: 'PATH WORDS',
    what: 'writes a memory: to the memory store that the session has, or to the newest',
    run: async (line, rest) => {
      const { record, parts } = line.session;
      const { memories } = parts;
      const given = /^(\/\S*[^/\s])(?:\s+([\s\S]*))?$/.exec(rest);
      const [path, content] = [given?.[1] ?? '/notes.md', `${given?.[2] ?? rest}\n`];
      const own = record.resources.find(({ type, access }) => type === 'memory_store' && access !== 'read_only')?.memory_store_id;
      const store = memories.list().find(({ id, archivedAt }) => archivedAt === null && (own === undefined || id === own));
      if (store === undefined) {
        await line.reply('There is no memory store that I can write to.');
        return;
      }
      await useTools(line, 'I keep that in mind.', [write(`/mnt/memory${path}`, content)]);
      const by = { type: 'session_actor', session_id: record.id } as const;
      const known = memories.listMemories(store.id).find(memory => memory.path === path);
      if (known === undefined) {
        memories.createMemory(store.id, { path, content }, by);
      } else {
        memories.updateMemory(store.id, known.id, { content }, by);
      }
    },
  },
  mcp: {
    takes: 'WORDS',
    what: 'calls a tool of an MCP server; asks unless the agent may',
    run: (line, rest) => {
      const server = line.agent.mcp_servers[0]?.name ?? 'issues';
      return useTools(line, `I ask the MCP server ${server}.`, [
        {
          kind: 'mcp',
          name: 'search_issues',
          server,
          input: { query: rest || 'is:open label:bug', limit: 3 },
          result: JSON.stringify(
            {
              total: 2,
              issues: [
                { number: 12, title: 'Crash on start' },
                { number: 7, title: 'Typo' },
              ],
            },
            null,
            2,
          ),
        },
      ]);
    },
  },
  custom: {
    takes: 'TEXT',
    what: 'calls the custom tool of the agent and waits for your result',
    run: (line, rest) => callCustomTool(line, '', rest || 'tea'),
  },
  price: {
    takes: 'ITEM',
    what: 'calls get_price and waits for your result',
    run: (line, rest) => callCustomTool(line, 'get_price', rest.replace(/^(?:of|for)\s+/i, '') || 'tea'),
  },
};

async function callCustomTool(line: Line, wanted: string, value: string): Promise<void> {
  const { name, properties } = customTool(line, wanted);
  const input = Object.fromEntries((properties.length === 0 ? ['item'] : properties.slice(0, 1)).map(property => [property, value]));
  const [outcome] = await callTools(line, () => line.say(`I need the result of \`${name}\` from you.`), [{ kind: 'custom', name, input }]);
  await line.reply(
    outcome?.isError === true ? `\`${name}\` failed: ${outcome.text}` : `\`${name}\` says **${outcome?.text || 'nothing'}** for ${value}.`,
  );
}
