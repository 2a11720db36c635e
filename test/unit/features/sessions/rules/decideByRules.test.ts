import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decideByRules } from '../../../../../src/features/sessions/rules/decideByRules';
import { anyCharacter } from '../../../../helpers/anyCharacter';
import { runs } from '../../../../helpers/runs';
import { askOf, ruleOf } from './ruleFixtures';

/** Returns the decision of rules: `allow`, `deny`, or the reason for no decision. */
function decided(...given: Parameters<typeof decideByRules>): string {
  const rules = decideByRules(...given);
  return rules === undefined ? 'unclear' : (rules[0]?.rule.result ?? 'noRule');
}

describe('features/sessions/rules/decideByRules', () => {
  const test = askOf({ command: 'npm test' });

  it('allows what a rule names, and nothing without an active rule', () => {
    assert.equal(decided([ruleOf()], test), 'allow');
    assert.equal(decided([ruleOf({ isOn: false })], test), 'noRule');
    assert.equal(decided([], test), 'noRule');
  });

  it('denies if one rule denies, however many allow', () => {
    const deny = ruleOf({ result: 'deny', fields: [{ field: 'command', match: 'equals', value: 'npm test' }] });
    for (const rules of [
      [ruleOf(), deny],
      [deny, ruleOf()],
      [ruleOf(), ruleOf(), deny],
    ]) {
      assert.equal(decided(rules, test), 'deny');
    }
    assert.equal(decided([ruleOf(), { ...deny, isOn: false }], test), 'allow');
  });

  for (const [what, ask] of [
    ['another connection', { connection: 'Prod' }],
    ['a connection of the same name that leads elsewhere', { service: 'http://127.0.0.1:2' }],
    ['another tool', { tool: 'Bash' }],
    ['a tool with a look-alike name', { tool: 'b\u0430sh' }],
    ['a tool of a server by the same name', { server: 'bash' }],
  ] as const) {
    it(`decides nothing for ${what}`, () => assert.equal(decided([ruleOf()], askOf({ command: 'npm test' }, ask)), 'noRule'));
  }

  it('applies only to its session and agent', () => {
    assert.equal(decided([ruleOf({ session: 'sesn_1', agent: 'agent_1' })], test), 'allow');
    assert.equal(decided([ruleOf({ session: 'sesn_2' })], test), 'noRule');
    assert.equal(decided([ruleOf({ agent: 'agent_2' })], test), 'noRule');
    assert.equal(decided([ruleOf({ agent: 'agent_1' })], askOf({ command: 'npm test' }, { agent: undefined })), 'noRule');
  });

  it("allows no call with a field that the rule doesn't name, or without one that it names", () => {
    for (const input of [
      { command: 'npm test', restart: true },
      { command: 'npm test', __proto__x: 1 },
      JSON.parse('{"command":"npm test","__proto__":{"a":1}}'),
      JSON.parse('{"command":"npm test","constructor":1}'),
      {},
      { Command: 'npm test' },
    ]) {
      assert.equal(decided([ruleOf()], askOf(input)), 'noRule', JSON.stringify(input));
    }
    assert.equal(decided([ruleOf({ fields: [] })], askOf({})), 'allow');
    assert.equal(decided([ruleOf({ fields: [{ field: 'toString', match: 'equals', value: null }] })], askOf({})), 'noRule');
  });

  it('compares values as JSON, and never by similar text', () => {
    const rule = ruleOf({ fields: [{ field: 'a', match: 'equals', value: { b: [1, 'x', null], c: true } }] });
    assert.equal(decided([rule], askOf({ a: { c: true, b: [1, 'x', null] } })), 'allow');
    for (const a of [
      { b: [1, 'x'], c: true },
      { b: [1, 'x', null], c: true, d: 1 },
      { b: ['1', 'x', null], c: true },
      '{"b":[1,"x",null],"c":true}',
      null,
    ]) {
      assert.equal(decided([rule], askOf({ a })), 'noRule', JSON.stringify(a));
    }
  });

  it('decides nothing for arguments that are incomplete or not an object', () => {
    for (const input of [undefined, null, '{"command":"npm test"}', ['npm test'], 7]) {
      assert.equal(decided([ruleOf(), ruleOf({ result: 'deny', fields: [] })], askOf(input)), 'unclear');
    }
    const any = ruleOf({ fields: [{ field: 'command', match: 'anything' }] });
    assert.equal(decided([any], askOf({ command: 'x'.repeat(2_000_000) })), 'unclear');
    assert.equal(decided([any], askOf({ command: Array.from({ length: 30_000 }, () => 1) })), 'unclear');
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level++) {
      deep = [deep];
    }
    assert.equal(decided([any], askOf({ command: deep })), 'unclear');
  });

  it('decides nothing for arguments with invisible characters, anywhere', () => {
    const any = [ruleOf({ fields: [{ field: 'command', match: 'anything' }] }), ruleOf({ result: 'deny', fields: [] })];
    for (const hidden of [
      '\u202e',
      '\u200b',
      '\u200d',
      '\u2066',
      '\ufeff',
      '\u00ad',
      '\0',
      '\u001b[2K',
      '\r',
      '\u{e0041}',
      '\ud800',
      '\u2028',
      '\u3164',
    ]) {
      for (const input of [{ command: `npm${hidden} test` }, { command: { a: [`${hidden}x`] } }, { command: 1, [`x${hidden}`]: 1 }]) {
        assert.equal(decided(any, askOf(input)), 'unclear', JSON.stringify(input));
      }
      assert.equal(decided(any, askOf({ command: 'x' }, { tool: `bash${hidden}` })), 'unclear');
    }
    assert.equal(decided([any[0] ?? ruleOf()], askOf({ command: 'a\n\tb\r\nc é 漢 👩‍💻' })), 'allow');
  });

  it("allows a command's other arguments only if a rule says so", () => {
    const reading = ruleOf({ fields: [{ field: 'command', match: 'command', words: 'ls -l' }] });
    assert.equal(decided([reading], askOf({ command: 'ls -l --all src' })), 'allow');
    for (const command of ['ls', 'ls -la', 'ls -l --time=x', 'ls -l; ./x']) {
      assert.equal(decided([reading], askOf({ command })), 'noRule', command);
    }
  });

  it('leaves special files in a folder to the user, but still denies them', () => {
    const fields = [{ field: 'path', match: 'folder', folder: '/w' } as const];
    for (const path of ['/w/.git/hooks/pre-commit', '/w/.vscode/tasks.json', '/w/.env', '/w/run.sh']) {
      assert.equal(decided([ruleOf({ fields })], askOf({ path })), 'noRule', path);
      assert.equal(decided([ruleOf({ fields }), ruleOf({ result: 'deny', fields })], askOf({ path })), 'deny', path);
    }
  });

  it('returns the paths that a rule allows by its folder', () => {
    const rule = ruleOf({
      tool: 'write',
      fields: [
        { field: 'path', match: 'folder', folder: '/shop/src' },
        { field: 'content', match: 'anything' },
      ],
    });
    const [decision] = decideByRules([rule], askOf({ path: '/shop/src/a.ts', content: 'x' }, { tool: 'write' })) ?? [];
    assert.deepEqual(decision?.paths, [{ path: '/shop/src/a.ts', folder: '/shop/src' }]);
    assert.equal(decided([rule], askOf({ path: '/shop/src/../a.ts', content: 'x' }, { tool: 'write' })), 'noRule');
    assert.equal(decided([rule], askOf({ path: ['/shop/src/a.ts'], content: 'x' }, { tool: 'write' })), 'noRule');
  });

  it("allows no other value than a rule's single value", () => {
    const character = fc.oneof(anyCharacter, fc.constantFrom(';', '&', '|', '\n', '$', '`', '\u0435', '\u202e', ' ', '"', '\\'));
    const hostile = fc.oneof(
      fc.string({ unit: character }).map(rest => `npm test${rest}`),
      fc.string({ unit: character }).map(rest => `${rest}npm test`),
      fc.string({ unit: character }).map(rest => `ls${rest}`),
      fc.json(),
    );
    const rules = [ruleOf(), ruleOf({ fields: [{ field: 'command', match: 'command', words: 'ls' }] })];
    fc.assert(
      fc.property(hostile, fc.object({ maxDepth: 1, maxKeys: 2 }), (command, more) => {
        const input = { ...more, command };
        if (decided(rules, askOf(input)) === 'allow') {
          assert.deepEqual(Object.keys(input), ['command']);
          assert.match(command, /^npm test$|^ls(?: [\w .,:=+@/'"-]*)?$/);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
