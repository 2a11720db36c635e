import { parseArgs } from 'node:util';
import { type DialectName, dialects } from '../../src/client/dialect';
import { faultNames } from '../../src/emulator/faults';
import { routeGroups, routeNames } from '../../src/emulator/routeNames';
import { defaultScenario } from '../../src/emulator/scenarios';
import { startEmulator } from '../../src/emulator/server';
import { triggerWords } from '../../src/emulator/sessions/scripts/runScript';

const usage = `Runs the service in small on 127.0.0.1 until Ctrl-C.

  npm run emulator -- [options]

  --port N            port to listen on; a free one when left out
  --key KEY           API key it accepts; a random one when left out
  --dialect NAME      ${Object.keys(dialects).join(', ')}; contract when left out
  --state FOLDER      keeps batches, agents, sessions and files over a restart
  --scenario JSON     replaces parts of the scenario:
                      ${JSON.stringify(defaultScenario)}
  --json              prints one line {"url":...,"key":...} and nothing else

A fault is {"name":...}, if wanted with "times" and "route".

  names: ${faultNames.join(' ')}
  routes: ${[...routeGroups, ...routeNames].join(' ')}

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
    state: { type: 'string' },
    scenario: { type: 'string', default: '{}' },
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
  const { dialect = 'contract', port = '0' } = values;
  if (!isDialectName(dialect)) {
    throw new Error(`Unknown dialect "${dialect}". Use one of ${Object.keys(dialects).join(', ')}.`);
  }
  if (!/^\d+$/.test(port)) {
    throw new Error(`--port takes a number, not "${port}".`);
  }
  const emulator = await startEmulator({
    port: Number(port),
    key: values.key,
    dialect,
    stateFolder: values.state,
    scenario: JSON.parse(values.scenario),
  });
  const stop = () => void emulator.stop().then(() => process.connected && process.disconnect());
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

function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name);
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
