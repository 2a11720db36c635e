import * as vscode from 'vscode';
import { watchEvents } from '../../../client/events/eventStream';
import type { Agent } from '../../../client/resources/agents';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listUpTo } from '../../../client/transport/pagination';
import { clientClock } from '../../../client/transport/retryPolicy';
import { confirmChange } from '../../../common/asking/confirmChange';
import { unlessCancelled } from '../../../common/cancellation';
import { toRange } from '../../../common/documents/documentChecks';
import { toTestMessage } from '../../../common/testing/runTests';
import type { Translate } from '../../../common/text/translate';
import { join, toLabel } from '../../../shared/text';
import { type Connection, type Connections, reach } from '../../connection';
import { toDollars } from '../attaching/budgetAmount';
import { compareCalls, describeDifferences } from './compareCalls';
import { describeMissingBudget, SessionTestRun } from './sessionTestRun';
import { rangeOf, readTest, type SessionTest, type ValuePath } from './testDocument';

/** Tests to run, their progress, and cancellation. */
export interface RunOnOptions {
  readonly connections: Pick<Connections, 'find' | 'client' | 'all'>;
  readonly items: readonly vscode.TestItem[];
  readonly run: vscode.TestRun;
  readonly signal: AbortSignal;
  readonly lifetime: AbortSignal;
}

interface ReadyTest {
  readonly item: vscode.TestItem;
  readonly test: SessionTest;
  readonly document: vscode.TextDocument;
  readonly connection: Connection;
}

/**
 * Runs tests, one after the other, on the connection `name`. If `name` is `undefined`, runs each test on the connection that its file
 * names, or on the emulator. Except on the emulator, each test needs a budget, and the user is asked first and sees the maximum total cost.
 * Throws in an untrusted workspace.
 */
export async function runOn(name: string | undefined, options: RunOnOptions): Promise<void> {
  const { items, run, signal, connections } = options;
  const tests: ReadyTest[] = [];
  for (const item of items) {
    tests.push(...(await prepareTest(item, name, options)));
  }
  for (const connection of new Set(tests.map(test => test.connection))) {
    const own = tests.filter(test => test.connection === connection);
    const { client } = await reach(connections, connection, 'change');
    if (!connection.isEmulator && !(await mayCost(connection, own))) {
      for (const { item } of own) {
        run.skipped(item);
      }
      continue;
    }
    for (const test of own) {
      signal.throwIfAborted();
      await runOne(test, client, options);
    }
  }
}

/** Reads the test of a file. If the test can't be run, returns an empty array and shows the reason at its location. */
async function prepareTest(
  item: vscode.TestItem,
  given: string | undefined,
  { connections, run }: RunOnOptions,
): Promise<readonly ReadyTest[]> {
  const { t } = vscode.l10n;
  if (item.uri === undefined) {
    return [];
  }
  const document = await vscode.workspace.openTextDocument(item.uri);
  const { test, problems } = readTest(document.getText(), t);
  const name = given ?? test?.connection;
  const connection = name === undefined ? connections.all().find(({ isEmulator }) => isEmulator) : connections.find(name);
  const reasons = [...problems];
  if (connection === undefined) {
    const message = t('There is no connection "{0}". Add it, or switch to another.', toLabel(name ?? '', 60));
    reasons.push({ path: ['connection'], message });
  } else if (!connection.isEmulator && test !== undefined && test.budget === undefined) {
    reasons.push({ path: [], message: describeMissingBudget(t) });
  }
  if (test !== undefined && connection !== undefined && reasons.length === 0) {
    return [{ item, test, document, connection }];
  }
  run.errored(
    item,
    reasons.map(({ path, message }) => messageAt(document, path, message)),
  );
  return [];
}

async function mayCost(connection: Connection, tests: readonly ReadyTest[]): Promise<boolean> {
  const { t } = vscode.l10n;
  const cents = tests.reduce((sum, { test }) => sum + (test.budget ?? 0), 0);
  const most = toDollars(cents, vscode.env.language);
  const deciding = tests.filter(({ test }) => test.decidesOnService && test.decisions.length > 0).length;
  return await unlessCancelled(false, async () => {
    await confirmChange(connection, {
      title: t('Run tests on this service ({0})?', tests.length),
      details: [t('Costs up to {0}.', most), deciding === 0 ? '' : t('Tests that approve calls: {0}.', deciding)],
      button: t('Run'),
    });
    return true;
  });
}

async function runOne({ item, test, document, connection }: ReadyTest, client: ServiceClient, options: RunOnOptions): Promise<void> {
  const { t } = vscode.l10n;
  const { run, signal, lifetime } = options;
  const { isEmulator } = connection;
  run.started(item);
  const begun = performance.now();
  const report = (line: string) => run.appendOutput(`${toLabel(item.label, 80)}: ${toLabel(line, 1000)}\r\n`);
  const found = await agentOfTest(client, test, connection, signal, t);
  if ('problem' in found) {
    run.errored(item, messageAt(document, ['agent', 'id'], found.problem));
    return;
  }
  if (found.note !== undefined) {
    report(found.note);
  }
  const { calls, stopped } = await new SessionTestRun(
    { ...test, agent: { ...test.agent, id: found.id } },
    {
      ...{ sessions: client.sessions, isEmulator, signal, lifetime, report, t, locale: vscode.env.language },
      ...{ title: t('Test: {0}', toLabel(item.label, 80)), watch: watchEvents, sleep: clientClock.sleep },
    },
  ).run();
  if (stopped === 'cancelled') {
    run.skipped(item);
    return;
  }
  const took = performance.now() - begun;
  if (stopped !== undefined) {
    run.errored(item, messageAt(document, stopped.path, stopped.message), took);
    return;
  }
  const differences = describeDifferences(compareCalls(test.calls, calls, test.compare), test, calls, t);
  if (differences.length === 0) {
    run.passed(item, took);
    return;
  }
  run.failed(
    item,
    differences.map(({ text, path, ...compared }) => toTestMessage(text, compared, locate(document, path))),
    took,
  );
}

function messageAt(document: vscode.TextDocument, path: ValuePath, text: string): vscode.TestMessage {
  return toTestMessage(text, undefined, locate(document, path));
}

function locate(document: vscode.TextDocument, path: ValuePath): vscode.Location {
  return new vscode.Location(document.uri, rangeIn(document, path));
}

/** Returns the range of a path in a test document. */
export function rangeIn(document: vscode.TextDocument, path: ValuePath): vscode.Range {
  return toRange(document, rangeOf(document.getText(), path));
}

/** Agent to run a test with, and a note if its ID differs from the recorded ID. Otherwise the reason why there is no agent. */
type FoundAgent = { readonly id: string; readonly note?: string } | { readonly problem: string };

const maxAgents = 5000;

/** Finds the agent of a test by ID, then by name and version. Ignores errors other than "not found", because the run reports them. */
export async function agentOfTest(
  { agents }: Pick<ServiceClient, 'agents'>,
  { agent, connection }: Pick<SessionTest, 'agent' | 'connection'>,
  here: { readonly name: string; readonly isEmulator: boolean },
  signal: AbortSignal,
  t: Translate,
): Promise<FoundAgent> {
  const found = await agents.retrieve(agent.id, { signal }).catch(error => error as unknown);
  if (!(found instanceof ServiceError && found.kind === 'not_found')) {
    return { id: agent.id };
  }
  const [name, id] = [toLabel(agent.name ?? '', 80), toLabel(agent.id, 80)];
  const all = agent.name === undefined ? [] : (await listUpTo(options => agents.list(options), maxAgents, { limit: 100, signal })).items;
  const isLike = (other: Agent) =>
    other.name === agent.name && (agent.version === 'latest' || (typeof other.version === 'number' && other.version >= agent.version));
  const [only, ...others] = all.filter(isLike);
  if (only !== undefined && others.length === 0) {
    return { id: only.id, note: t('{0} has no agent {1}. Using {2} ({3}).', here.name, id, toLabel(only.id, 80), name) };
  }
  const recorded = connection === undefined || connection === here.name ? '' : t('Recorded on {0}.', toLabel(connection, 80));
  const why = here.isEmulator
    ? t('The emulator has no agent {0}. Run the test on another connection.', name || id)
    : t('{0} has no agent {1}.', here.name, id);
  return { problem: join(' ', why, recorded) };
}
