import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SessionEvent } from '../../../../../src/client/events/eventLog';
import type { WaitingSession } from '../../../../../src/features/sessions/facts/needs';
import { type AuditedDecision, AuditFile } from '../../../../../src/features/sessions/rules/auditFile';
import { RuleDecider } from '../../../../../src/features/sessions/rules/ruleDecider';
import { type ApprovalRule, RuleFiles } from '../../../../../src/features/sessions/rules/ruleFiles';
import { withFaultyDisk } from '../../../../helpers/faultyDisk';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { FakeSessions } from '../panel/fakeService';
import { failure, reference } from '../panel/sessionUnderTest';
import { inFolder, ruleOf } from './ruleFixtures';

const call = (id: string, more: object = {}): SessionEvent => ({
  type: 'agent.tool_use',
  id,
  name: 'bash',
  input: { command: 'npm test' },
  evaluated_permission: 'ask',
  ...more,
});
const idle = (...ids: readonly string[]): SessionEvent => ({
  type: 'session.status_idle',
  id: `idle ${ids.join()}`,
  stop_reason: { type: 'requires_action', event_ids: ids },
});

/** Creates a decider with its own folder and service. Only the test advances the clocks. */
function setUp(folder: string, service = new FakeSessions()) {
  const files = new RuleFiles(path.join(folder, 'rules'));
  const audit = new AuditFile(folder);
  const clock = { time: 0, steady: 0 };
  const state = {
    ...{ isTrusted: true, service: 'http://127.0.0.1:1' as string | undefined },
    waiting: [] as readonly Pick<WaitingSession, 'connection' | 'sessionId' | 'asks'>[],
  };
  const decisions: AuditedDecision[] = [];
  const troubles: string[] = [];
  const lifetime = new AbortController();
  const decider = new RuleDecider({
    rules: files,
    audit,
    waiting: () => state.waiting,
    isTrusted: () => state.isTrusted,
    serviceOf: () => state.service,
    sessions: async () => service.api,
    clock: { now: () => clock.time, monotonic: () => clock.steady },
    t: fillPlaceholders,
    lifetime: lifetime.signal,
    onDecided: decision => decisions.push(decision),
    onDecidedElsewhere: () => undefined,
    onTrouble: problem => troubles.push(problem),
    warn: () => undefined,
    pause: async () => undefined,
  });
  const log = (...events: readonly SessionEvent[]) => {
    service.log = events.toReversed();
  };
  const lines = async () =>
    (await readFile(audit.file, 'utf8').catch(() => ''))
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line));
  return { service, files, audit, clock, state, decisions, troubles, lifetime, decider, log, lines };
}

const allowed = [{ type: 'user.tool_confirmation', tool_use_id: 'e1', result: 'allow' }];

describe('features/sessions/rules/ruleDecider', () => {
  it('answers once what a rule allows, with an audit line before and one after', () =>
    inFolder(async folder => {
      const { service, files, decider, log, lines, decisions } = setUp(folder);
      service.threads = [];
      await files.write(ruleOf({ agent: 'agent_1' }));
      service.session = { ...service.session, agent: { type: 'agent', id: 'agent_1' } } as typeof service.session;
      log(call('e1'), idle('e1'));
      await Promise.all([decider.consider(reference, ['e1']), decider.consider(reference, ['e1'])]);
      await decider.consider(reference, ['e1']);
      assert.deepEqual(service.sent, [allowed]);
      const [decision, outcome] = await lines();
      assert.equal(decision.tool, 'bash');
      assert.match(decision.fingerprint, /^[\da-f]{64}$/);
      assert.deepEqual([decision.what, decision.result, outcome.what, outcome.outcome], ['decision', 'allow', 'outcome', 'stored']);
      assert.deepEqual(
        decisions.map(each => each.outcome),
        [undefined, 'stored'],
      );
    }));

  it('applies a new rule to all known asks, including the one that it was created from', () =>
    inFolder(async folder => {
      const { service, files, decider, log, state } = setUp(folder);
      log(call('e1'), idle('e1'));
      state.waiting = [{ ...reference, asks: [{ eventId: 'e1', kind: 'confirmation' }] }];
      await decider.considerAll();
      assert.deepEqual(service.sent, []);
      await files.write(ruleOf());
      await decider.rulesChanged();
      assert.deepEqual(service.sent, [allowed]);
    }));

  it('records what it allowed, without secrets and with a size limit', () =>
    inFolder(async folder => {
      const { files, decider, log, lines } = setUp(folder);
      await files.write(ruleOf({ fields: [{ field: 'command', match: 'anything' }] }));
      const command = `curl -H "Authorization: Bearer abcdefgh12345678" -d password=hunter22 ${'x'.repeat(30_000)}`;
      log(call('e1', { input: { command: 'npm test' } }), call('e2', { input: { command } }), idle('e1', 'e2'));
      await decider.consider(reference, ['e1', 'e2']);
      const decisions = (await lines()).filter(({ what }) => what === 'decision');
      assert.deepEqual(decisions[0].input, { command: 'npm test' });
      assert.match(decisions[1].input, /^{"command":"curl -H /);
      assert.ok(decisions[1].input.length < 20_010 && !/abcdefgh|hunter22/.test(decisions[1].input));
    }));

  it('denies with a reason that names the rule', () =>
    inFolder(async folder => {
      const { service, files, decider, log } = setUp(folder);
      await files.write(ruleOf());
      await files.write(ruleOf({ name: 'No npm', result: 'deny', fields: [{ field: 'command', match: 'equals', value: 'npm test' }] }));
      log(call('e1'), idle('e1'));
      await decider.consider(reference, ['e1']);
      const [[answer] = []] = service.sent as { result: string; deny_message: string }[][];
      assert.equal(answer?.result, 'deny');
      assert.match(answer?.deny_message ?? '', /No npm/);
    }));

  const unanswered: readonly (readonly [what: string, events: readonly SessionEvent[], rule?: Partial<ApprovalRule>])[] = [
    ['that no rule is for', [call('e1', { input: { command: 'npm test; rm -rf /' } }), idle('e1')]],
    ['whose rule is off', [call('e1'), idle('e1')], { isOn: false }],
    ['of another connection', [call('e1'), idle('e1')], { connection: 'Prod' }],
    ['of a connection that leads elsewhere now', [call('e1'), idle('e1')], { service: 'https://old.example' }],
    ['of an agent that is not the one of the rule', [call('e1'), idle('e1')], { agent: 'agent_2' }],
    ['that was answered', [call('e1'), idle('e1'), { type: 'user.tool_confirmation', id: 'u1', tool_use_id: 'e1', result: 'deny' }]],
    ['whose turn has ended', [call('e1'), { type: 'session.status_idle', id: 'i', stop_reason: { type: 'end_turn' } }]],
    ['whose call is not in the log', [idle('e1')]],
    ['whose arguments are not there', [call('e1', { input: undefined }), idle('e1')]],
    ['that stands in the log twice', [call('e1'), call('e1'), idle('e1')]],
    ['that holds hidden characters', [call('e1', { input: { command: 'npm test\u202e' } }), idle('e1')]],
    ['of a custom tool', [call('e1', { type: 'agent.custom_tool_use' }), idle('e1')]],
    ['of a server that does not say its name', [call('e1', { type: 'agent.mcp_tool_use' }), idle('e1')]],
    ['of a built-in call that names a server', [call('e1', { mcp_server_name: 'x' }), idle('e1')], { server: 'x' }],
  ];
  for (const [what, events, rule] of unanswered) {
    it(`leaves to the user an ask ${what}`, () =>
      inFolder(async folder => {
        const { service, files, decider, log, lines, audit } = setUp(folder);
        await files.write(ruleOf(rule));
        log(...events);
        await decider.consider(reference, ['e1']);
        assert.deepEqual(service.sent, []);
        assert.deepEqual(await lines(), []);
        assert.equal(await audit.claim(reference, 'e1'), true);
      }));
  }

  it("decides by the service's log, never by what it received from elsewhere", () =>
    inFolder(async folder => {
      const { service, files, decider, log } = setUp(folder);
      await files.write(ruleOf());
      // The caller still expects `npm test`, but the service's log has another command.
      log(call('e1', { input: { command: 'rm -rf /' } }), idle('e1'));
      await decider.consider(reference, ['e1']);
      assert.deepEqual(service.sent, []);
    }));

  it('makes no calls without a rule, or from an untrusted workspace', () =>
    inFolder(async folder => {
      const { service, files, decider, log, state } = setUp(folder);
      log(call('e1'), idle('e1'));
      await decider.consider(reference, ['e1']);
      await files.write(ruleOf());
      state.isTrusted = false;
      await decider.rulesChanged();
      await decider.consider(reference, ['e1']);
      assert.deepEqual([service.sent, service.retrieved], [[], 0]);
      state.isTrusted = true;
      await decider.consider(reference, ['e1']);
      assert.deepEqual(service.sent, [allowed]);
    }));

  it("names the asking thread, and decides by that thread's agent", () =>
    inFolder(async folder => {
      const { service, files, decider, log } = setUp(folder);
      service.threads = [
        { id: 'thr_main', type: 'session_thread', parent_thread_id: null },
        { id: 'thr_a', type: 'session_thread', parent_thread_id: 'thr_main', agent: { id: 'agent_sub' } },
      ];
      service.session = { ...service.session, agent: { type: 'agent', id: 'agent_1' } } as typeof service.session;
      log(call('e1', { session_thread_id: 'thr_a' }), idle('e1'));
      await files.write(ruleOf({ agent: 'agent_1' }));
      await decider.consider(reference, ['e1']);
      assert.deepEqual(service.sent, []);
      await files.write(ruleOf({ agent: 'agent_sub' }));
      await decider.rulesChanged();
      await decider.consider(reference, ['e1']);
      assert.deepEqual(service.sent, [[{ ...allowed[0], session_thread_id: 'thr_a' }]]);
    }));

  it('decides once among many windows', () =>
    inFolder(async folder => {
      const service = new FakeSessions();
      const windows = Array.from({ length: 5 }, () => setUp(folder, service));
      await windows[0]?.files.write(ruleOf());
      windows[0]?.log(call('e1'), idle('e1'));
      await Promise.all(windows.map(({ decider }) => decider.consider(reference, ['e1'])));
      assert.deepEqual(service.sent, [allowed]);
      assert.equal((await windows[0]?.lines())?.length, 2);
    }));

  for (const [call_, end] of [
    ['open', 'audit.jsonl'],
    ['mkdir', 'claims'],
  ] as const) {
    it(`allows nothing when ${call_} of ${end} fails`, () =>
      inFolder(async folder => {
        const { service, files, decider, log, troubles, lines } = setUp(folder);
        await files.write(ruleOf());
        log(call('e1'), idle('e1'));
        await withFaultyDisk(call_, 'ENOSPC', end, () => decider.consider(reference, ['e1']));
        assert.deepEqual(service.sent, []);
        assert.deepEqual(await lines(), []);
        assert.match(troubles.join(), /Rules are off.*ENOSPC/);
      }));
  }

  it('allows nothing while any rule file is unreadable', () =>
    inFolder(async folder => {
      const { service, files, decider, log, troubles } = setUp(folder);
      await files.write(ruleOf());
      const denying = ruleOf({ result: 'deny' });
      await files.write(denying);
      log(call('e1'), idle('e1'));
      await withFaultyDisk('readFile', 'EIO', `${denying.id}.rule.json`, () => decider.consider(reference, ['e1']));
      assert.deepEqual(service.sent, []);
      await writeFile(path.join(files.folder, `${denying.id}.rule.json`), '{');
      await decider.rulesChanged();
      await decider.consider(reference, ['e1']);
      assert.deepEqual(service.sent, []);
      assert.match(troubles.join(), /delete or fix/);
    }));

  it('gives up, with an audit line, when the rule was turned off or time passed before it was sent', () =>
    inFolder(async folder => {
      type Tested = ReturnType<typeof setUp>;
      const changes: readonly (readonly [event: string, meanwhile: (tested: Tested, rule: ApprovalRule) => unknown])[] = [
        ['e1', (tested, rule) => tested.files.switch(rule.id, false)],
        ['e2', ({ clock }) => Object.assign(clock, { time: 60_000 })],
        ['e3', ({ clock }) => Object.assign(clock, { steady: 60_000 })],
        ['e4', ({ state }) => Object.assign(state, { isTrusted: false })],
        ['e5', ({ files }) => files.write(ruleOf({ result: 'deny', fields: [] }))],
        ['e6', ({ state }) => Object.assign(state, { service: 'http://elsewhere' })],
        ['e7', ({ lifetime }) => lifetime.abort()],
      ];
      for (const [event, meanwhile] of changes) {
        const tested = setUp(path.join(folder, event));
        const rule = ruleOf();
        await tested.files.write(rule);
        tested.log(call(event), idle(event));
        // Simulates that the process is suspended after writing to the audit file and before sending the request.
        const { decided } = tested.audit;
        tested.audit.decided = async decision => {
          await decided.call(tested.audit, decision);
          await meanwhile(tested, rule);
        };
        await tested.decider.consider(reference, [event]);
        assert.deepEqual(tested.service.sent, [], event);
        assert.deepEqual(
          (await tested.lines()).map(({ what, outcome }) => [what, outcome]),
          [
            ['decision', undefined],
            ['outcome', 'notSent'],
          ],
          event,
        );
      }
    }));

  it('sends nothing twice after a lost response or a rejection', () =>
    inFolder(async folder => {
      for (const [event, error, outcome] of [
        ['e1', failure('connection_lost', 'unknown'), 'unknown'],
        ['e2', failure('api', 'refused', 503, 'busy'), 'refused'],
      ] as const) {
        const { service, files, decider, log, lines } = setUp(path.join(folder, event));
        await files.write(ruleOf());
        log(call(event), idle(event));
        service.sendError = error;
        await decider.consider(reference, [event]);
        await decider.rulesChanged();
        service.sendError = undefined;
        await decider.consider(reference, [event]);
        assert.equal(service.sent.length, 1);
        assert.equal((await lines()).at(-1).outcome, outcome);
      }
    }));

  it("retries later, and not earlier, when the log couldn't be read", () =>
    inFolder(async folder => {
      const { service, files, decider, log, clock } = setUp(folder);
      await files.write(ruleOf());
      log(call('e1'), idle('e1'));
      service.retrieveError = failure('connection_refused', 'not_sent');
      await decider.consider(reference, ['e1']);
      service.retrieveError = undefined;
      await decider.consider(reference, ['e1']);
      assert.deepEqual(service.sent, []);
      clock.steady += 15_000;
      await decider.consider(reference, ['e1']);
      assert.deepEqual(service.sent, [allowed]);
    }));
});
