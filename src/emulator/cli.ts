import { parseArgs } from 'node:util';
import { type DialectName, dialects } from '../client/dialect';
import { type FaultName, faultNames } from './faults';
import { type ServerStyleName, serverStyleNames } from './http/serverStyle';
import { type FaultRoute, routeGroups, routeNames } from './routeNames';
import type { Scenario } from './scenarios';
import { startEmulator } from './server';
import { triggerWords } from './sessions/scripts/runScript';

const usage = `Runs the service in small on 127.0.0.1 until Ctrl-C.

  npm run emulator -- [options]

  --port N            port to listen on; a free one when left out
  --key KEY           API key it accepts; a random one when left out
  --dialect NAME      ${Object.keys(dialects).join(', ')}; contract when left out
  --batch-seconds N   from a batch's creation to its end; 5 when left out
  --stream-pause N    milliseconds between the pieces of a streamed message; 20 when left out
  --session-pause N   milliseconds between the steps of an agent; 400 when left out, 0 is at once
  --style NAME        whose way it has with sessions: ${serverStyleNames.join(', ')}; vendor when left out
  --fault NAME[:TIMES[:ROUTE]]   may come several times; TIMES left out or * is for good
                      ${faultNames.join(' ')}
                      routes: ${[...routeGroups, ...routeNames].join(' ')}
  --state FOLDER      keeps batches, agents, sessions and files over a restart
  --json              prints one line {"url":...,"key":...} and nothing else

What an agent does is decided by the first word of a message:

${triggerWords()
  .map(line => `  ${line}`)
  .join('\n')}

Any other message gets what the agent's metadata has under emulator_script (one of these words), or a plain answer.
An outcome is satisfied at the second try, unless its description says first, never or fail.
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    key: { type: 'string' },
    dialect: { type: 'string' },
    'batch-seconds': { type: 'string' },
    'stream-pause': { type: 'string' },
    'session-pause': { type: 'string' },
    style: { type: 'string' },
    fault: { type: 'string', multiple: true },
    state: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) {
  console.log(usage);
} else {
  try {
    await run();
  } catch (error) {
    console.error(`The emulator did not start: ${error instanceof Error ? error.message : String(error)}`);
    console.error('Run it with --help to see what it takes.');
    process.exitCode = 1;
  }
}

async function run(): Promise<void> {
  const dialect = dialectNamed(values.dialect ?? 'contract');
  const emulator = await startEmulator({
    port: numberOption('port') ?? 0,
    key: values.key,
    dialect,
    stateFolder: values.state,
    scenario: scenario(),
  });
  let stopping = false;
  const stop = () => {
    if (!stopping) {
      stopping = true;
      void emulator.stop().then(() => process.connected && process.disconnect());
    }
  };
  process.once('SIGINT', stop).once('SIGTERM', stop).once('disconnect', stop);
  const { url, key } = emulator;
  process.send?.({ type: 'started', url, key });
  if (values.json === true) {
    console.log(JSON.stringify({ url, key }));
    return;
  }
  console.log(`Emulator of the service (${dialect}) at ${url}\nKey: ${key}\n`);
  console.log(`Try it:\n${example(url, key, dialect)}\n\nCtrl-C stops it.`);
}

function scenario(): Partial<Scenario> {
  const seconds = numberOption('batch-seconds');
  const pause = numberOption('stream-pause');
  const sessionPause = numberOption('session-pause');
  return {
    ...(seconds === undefined ? {} : { batchDuration: seconds * 1000 }),
    ...(pause === undefined ? {} : { streamPause: pause }),
    ...(sessionPause === undefined ? {} : { sessionPause }),
    ...(values.style === undefined ? {} : { serverStyle: oneOf<ServerStyleName>('style', values.style, serverStyleNames) }),
    faults: (values.fault ?? []).map(text => {
      const [name = '', times = '*', route] = text.split(':');
      return {
        name: oneOf<FaultName>('fault', name, faultNames),
        ...(times === '*' || times === '' ? {} : { times: Number(times) }),
        ...(route === undefined ? {} : { route: oneOf<FaultRoute>('route', route, [...routeGroups, ...routeNames]) }),
      };
    }),
  };
}

function numberOption(name: 'port' | 'batch-seconds' | 'stream-pause' | 'session-pause'): number | undefined {
  const text = values[name];
  if (text === undefined) {
    return undefined;
  }
  if (!/^\d+(\.\d+)?$/.test(text)) {
    throw new Error(`--${name} takes a number, not "${text}".`);
  }
  return Number(text);
}

function dialectNamed(name: string): DialectName {
  return oneOf<DialectName>('dialect', name, ['contract', 'anthropic-2023', 'anthropic-2026']);
}

function oneOf<T extends string>(what: string, given: string, known: readonly T[]): T {
  const found = known.find(name => name === given);
  if (found === undefined) {
    throw new Error(`There is no ${what} "${given}"; there are ${known.join(', ')}.`);
  }
  return found;
}

function example(url: string, key: string, name: DialectName): string {
  const { headerPrefix, version, betaQuery, betas, modelPrefix } = dialects[name];
  const beta = betaQuery && betas.batches !== undefined ? ` -H '${headerPrefix}-beta: ${betas.batches}'` : '';
  const params = `{"model":"${modelPrefix}sonnet-5","max_tokens":100,"messages":[{"role":"user","content":"Hello"}]}`;
  return [
    `curl '${url}/v1/messages/batches${betaQuery ? '?beta=true' : ''}' \\`,
    `  -H 'x-api-key: ${key}' -H '${headerPrefix}-version: ${version}'${beta} \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"requests":[{"custom_id":"first","params":${params}}]}'`,
  ].join('\n');
}
