import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AuditFile, type RuleDecision } from '../../../../../src/features/sessions/rules/auditFile';
import { RuleFiles } from '../../../../../src/features/sessions/rules/ruleFiles';
import { withFaultyDisk } from '../../../../helpers/faultyDisk';
import { inFolder, ruleOf } from './ruleFixtures';

const reference = { connection: 'Lab', sessionId: 'sesn_1' };

function decisionOf(more: Partial<RuleDecision> = {}): RuleDecision {
  return {
    ...reference,
    at: '2026-11-23T10:00:00.000Z',
    event: 'e1',
    tool: 'bash',
    fingerprint: 'f',
    rule: 'r',
    ruleName: 'Tests',
    result: 'allow',
    ...more,
  };
}

describe('features/sessions/rules/ruleFiles', () => {
  it('stores the latest version of each rule, and turns the given one on or off', () =>
    inFolder(async folder => {
      const [mine, theirs] = [new RuleFiles(path.join(folder, 'rules')), new RuleFiles(path.join(folder, 'rules'))];
      assert.deepEqual(await mine.read(), { rules: [], damaged: [] });
      const [first, second] = [ruleOf({ createdAt: '2026-01-01' }), ruleOf({ createdAt: '2026-01-02', isOn: false })];
      await mine.write(second);
      await mine.write(first);
      assert.equal(await theirs.switch(first.id, false), true);
      assert.equal(await mine.switch(second.id, true), true);
      assert.deepEqual((await mine.read()).rules, [
        { ...first, isOn: false },
        { ...second, isOn: true },
      ]);
      await theirs.remove(first.id);
      assert.equal(await mine.switch(first.id, true), false);
      assert.deepEqual((await mine.read()).rules, [{ ...second, isOn: true }]);
    }));

  it('reports invalid rule files, and uses nothing of them', () =>
    inFolder(async folder => {
      const files = new RuleFiles(folder);
      const rule = ruleOf();
      for (const [name, text] of [
        [`${rule.id}.rule.json`, JSON.stringify({ ...rule, result: 'deny', later: true })],
        ['half.rule.json', JSON.stringify(rule).slice(0, 100)],
        // A copy of the rule under another name would be a second rule that can't be turned off.
        ['other.rule.json', JSON.stringify(rule)],
        ['runsPrograms.rule.json', JSON.stringify({ ...rule, fields: [{ field: 'command', match: 'command', words: 'make' }] })],
        ['empty.rule.json', ''],
      ] as const) {
        await writeFile(path.join(folder, name), text);
      }
      const { rules, damaged } = await files.read();
      assert.deepEqual(rules, []);
      assert.equal(damaged.length, 5);
    }));

  it("keeps the stored rule when a new one can't be written", () =>
    inFolder(async folder => {
      const files = new RuleFiles(folder);
      const rule = ruleOf({ isOn: false });
      await files.write(rule);
      for (const call of ['open', 'rename'] as const) {
        await assert.rejects(withFaultyDisk(call, 'ENOSPC', '.part', () => files.switch(rule.id, true)));
        assert.deepEqual((await files.read()).rules, [rule]);
        assert.deepEqual(await readdir(folder), [`${rule.id}.rule.json`]);
      }
    }));
});

describe('features/sessions/rules/auditFile', () => {
  it('lets exactly one decider claim an ask', () =>
    inFolder(async folder => {
      const windows = Array.from({ length: 8 }, () => new AuditFile(folder));
      const claims = await Promise.all(windows.map(each => each.claim(reference, 'e1')));
      assert.deepEqual(
        claims.filter(claim => claim),
        [true],
      );
      assert.equal(await new AuditFile(folder).claim(reference, 'e1'), false);
      assert.equal(await new AuditFile(folder).claim(reference, 'e2'), true);
      assert.equal(await new AuditFile(folder).claim({ ...reference, connection: 'Prod' }, 'e1'), true);
      await assert.rejects(withFaultyDisk('mkdir', 'EROFS', 'claims', () => new AuditFile(folder).claim(reference, 'e3')));
    }));

  it('adds a line for each decision and one for its outcome, readable by the user alone', () =>
    inFolder(async folder => {
      const audit = new AuditFile(path.join(folder, 'new'));
      assert.deepEqual(await audit.latest(), []);
      await audit.decided(decisionOf());
      await audit.decided(decisionOf({ event: 'e2', result: 'deny' }));
      await audit.ended(decisionOf(), '2026-11-23T10:00:01.000Z', 'stored', undefined);
      const lines = (await readFile(audit.file, 'utf8'))
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line));
      assert.deepEqual(
        lines.map(({ what, event, result, outcome }) => [what, event, result ?? outcome]),
        [
          ['decision', 'e1', 'allow'],
          ['decision', 'e2', 'deny'],
          ['outcome', 'e1', 'stored'],
        ],
      );
      assert.deepEqual(
        (await audit.latest()).map(({ event, outcome }) => [event, outcome]),
        [
          ['e1', 'stored'],
          ['e2', undefined],
        ],
      );
      assert.equal((await stat(audit.file)).mode & 0o77, 0);
    }));

  it("orders another window's decisions by time, not by when it read them", () =>
    inFolder(async folder => {
      const audit = new AuditFile(folder);
      await audit.decided(decisionOf({ event: 'e1', at: '2026-11-23T10:00:00.000Z' }));
      audit.put(decisionOf({ event: 'e2', at: '2026-11-23T10:00:05.000Z' }));
      await audit.read();
      assert.equal(audit.last?.event, 'e2');
    }));

  it('reads the time of each decision at most once to name or count decisions', () =>
    inFolder(async folder => {
      const audit = new AuditFile(folder);
      let reads = 0;
      const count = 100;
      for (let index = 0; index < count; index++) {
        const decision = { ...decisionOf({ event: `e${index}`, ruleName: `rule ${index}` }), outcome: 'stored' as const };
        const { at } = decision;
        audit.put(
          Object.defineProperty(decision, 'at', {
            get: () => {
              reads++;
              return at;
            },
          }),
        );
      }
      reads = 0;
      assert.equal(Object.keys(audit.namesIn(reference) ?? {}).length, count);
      assert.equal(reads, 0);
      assert.equal(audit.countSince(0), count);
      assert.equal(reads, count);
    }));

  it('continues after a line that a full disk cut off', () =>
    inFolder(async folder => {
      const audit = new AuditFile(folder);
      await writeFile(audit.file, '{"what":"decision","conn');
      await audit.decided(decisionOf());
      assert.deepEqual(
        (await audit.latest()).map(({ event }) => event),
        ['e1'],
      );
    }));
});
