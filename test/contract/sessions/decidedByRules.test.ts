import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { systemClock } from '../../../src/common/clock';
import { serverStyleNames } from '../../../src/emulator/http/serverStyle';
import type { Emulator } from '../../../src/emulator/server';
import { openAsks } from '../../../src/features/sessions/facts/openAsks';
import { readWholeLog } from '../../../src/features/sessions/facts/wholeLog';
import { AuditFile } from '../../../src/features/sessions/rules/auditFile';
import { RuleDecider } from '../../../src/features/sessions/rules/ruleDecider';
import { type ApprovalRule, RuleFiles } from '../../../src/features/sessions/rules/ruleFiles';
import { SessionWindow } from './sessionWindow';
import { startSessionService } from './startSessionService';

for (const serverStyle of serverStyleNames) {
  describe(`answers of rules on a service like ${serverStyle}`, () => {
    let emulator: Emulator;
    let client: ServiceClient;
    let folder: string;
    let start: { readonly agent: string; readonly environment_id: string };

    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'rules-'));
      ({ emulator, client, start } = await startSessionService(serverStyle));
    });
    after(async () => {
      await client.close();
      await emulator.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const eventsOf = (sessionId: string) => readWholeLog(client.sessions.events(sessionId), new AbortController().signal, () => undefined);
    const begin = async (text: string) => {
      const { data } = await client.sessions.create(start);
      await client.sessions.send(data.id, [{ type: 'user.message', content: [{ type: 'text', text }] }]);
      await emulator.advanceClock(0);
      return data.id;
    };

    const ruleFor = (): ApprovalRule => ({
      version: 1,
      id: randomUUID(),
      name: 'Make',
      isOn: true,
      result: 'allow',
      connection: 'A',
      service: emulator.url,
      agent: start.agent,
      tool: 'bash',
      fields: [{ field: 'command', match: 'equals', value: 'make clean' }],
      createdAt: '2026-11-23T10:00:00.000Z',
    });

    it('answers an ask of a listed session as soon as its rule is turned on, and the row shows it', async () => {
      const sessionId = await begin('ask make clean');
      const window = new SessionWindow(client, emulator.url);
      const place = path.join(folder, randomUUID());
      const [files, audit] = [new RuleFiles(path.join(place, 'rules')), new AuditFile(place)];
      const decider = new RuleDecider({
        ...{ rules: files, audit, clock: systemClock, t: message => message, lifetime: new AbortController().signal },
        waiting: () => window.waiting.all(),
        isTrusted: () => true,
        serviceOf: () => emulator.url,
        sessions: async () => client.sessions,
        onDecided: decision => window.decided(decision),
        onDecidedElsewhere: () => assert.fail('there is no other window'),
        onTrouble: problem => assert.fail(problem),
        warn: problem => assert.fail(problem),
      });
      try {
        await window.look(true);
        const row = () => window.store.find({ connection: 'A', sessionId });
        assert.equal(row()?.state, 'waiting');
        await files.write(ruleFor());
        await decider.rulesChanged();
        assert.deepEqual([row()?.asks, row()?.byRule?.ruleName], [[], 'Make']);
        await emulator.advanceClock(2_000);
        await window.passTime();
        assert.deepEqual([row()?.asks, row()?.byRule?.ruleName], [[], 'Make']);
      } finally {
        window.end();
      }
    });

    for (const [what, text, results] of [
      ['allows what one allows', 'ask make clean', ['allow']],
      ['leaves the same command to the user once it chains another', 'ask make clean; rm -rf /', []],
    ] as const) {
      it(`${what}, and continues`, async () => {
        const sessionId = await begin(text);
        const place = path.join(folder, randomUUID());
        const [files, audit] = [new RuleFiles(path.join(place, 'rules')), new AuditFile(place)];
        await files.write({
          version: 1,
          id: randomUUID(),
          name: 'Make',
          isOn: true,
          result: 'allow',
          connection: 'Lab',
          service: emulator.url,
          agent: start.agent,
          tool: 'bash',
          fields: [{ field: 'command', match: 'equals', value: 'make clean' }],
          createdAt: '2026-11-23T10:00:00.000Z',
        });
        const decider = new RuleDecider({
          rules: files,
          audit,
          waiting: () => [],
          isTrusted: () => true,
          serviceOf: () => emulator.url,
          sessions: async () => client.sessions,
          clock: systemClock,
          t: message => message,
          lifetime: new AbortController().signal,
          onDecided: () => undefined,
          onDecidedElsewhere: () => assert.fail('there is no other window'),
          onTrouble: problem => assert.fail(problem),
          warn: problem => assert.fail(problem),
        });
        const asks = openAsks(await eventsOf(sessionId));
        assert.equal(asks.length, 1);
        await decider.consider(
          { connection: 'Lab', sessionId },
          asks.map(({ eventId }) => eventId),
        );
        await emulator.advanceClock(0);
        const events = await eventsOf(sessionId);
        assert.deepEqual(
          events.filter(({ type }) => type === 'user.tool_confirmation').map(({ result }) => result),
          results,
        );
        assert.equal(openAsks(events).length, 1 - results.length);
        const audited = await readFile(audit.file, 'utf8').catch(() => '');
        assert.equal(audited.split('\n').filter(line => line !== '').length, results.length * 2);
      });
    }
  });
}
