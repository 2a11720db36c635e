import assert from 'node:assert/strict';
import { decideByRules } from '../../../../../src/features/sessions/rules/decideByRules';
import { proposeRules } from '../../../../../src/features/sessions/rules/proposeRules';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { askOf } from './ruleFixtures';

describe('features/sessions/rules/proposeRules', () => {
  const scopes = (input: Readonly<Record<string, unknown>>, change = {}) =>
    proposeRules({ ...askOf(input), ...change }, 'Careful Operator', fillPlaceholders).map(({ scope }) => scope);

  it('offers the exact call first, then reading commands or a folder, then a denial', () => {
    const { connection } = askOf({});
    assert.deepEqual(scopes({ command: 'npm test' }), [
      `Always allow bash \`npm test\` exactly, for Careful Operator, in ${connection}`,
      `Always deny bash \`npm test\` exactly, for Careful Operator, in ${connection}`,
    ]);
    const [, reading] = scopes({ command: 'wc -l a.txt' });
    assert.match(
      reading ?? '',
      /^Always allow bash command starts with wc and uses only the options .*, with any files and words, for Careful Operator, /,
    );
    const [exactly, folder] = scopes({ path: '/w/src/a.ts', content: 'x' }, { tool: 'write' });
    assert.match(exactly ?? '', /^Always allow write path is "\/w\/src\/a\.ts" · content is "x" exactly, /);
    assert.match(folder ?? '', /^Always allow write path is a file in \/w\/src, except dot files, .* · content is "x", /);
  });

  it("offers no folder of dot files or executables, and commands only for the service's shell", () => {
    for (const path of ['/w/.git/config.txt', '/w/run.sh', '/a.ts', '/w/../a.ts']) {
      assert.equal(scopes({ path }, { tool: 'write' }).length, 2, path);
    }
    assert.equal(scopes({ command: 'ls -la' }, { tool: 'run' }).length, 2);
    assert.equal(scopes({ command: 'ls; rm x' }).length, 2);
  });

  it('creates rules that are on and decide the ask that they were created from', () => {
    const ask = askOf({ command: 'npm test' });
    const [allow, deny] = proposeRules(ask, '', fillPlaceholders);
    assert.ok(allow !== undefined && deny !== undefined);
    assert.equal(decideByRules([allow.rule], ask)?.length, 1);
    assert.equal(decideByRules([deny.rule], ask)?.length, 1);
    assert.equal(decideByRules([allow.rule], askOf({ command: 'npm test -- x' }))?.length, 0);
  });

  it("creates none for an ask that the user couldn't read completely", () => {
    assert.throws(() => proposeRules(askOf({ command: 'x\u202e' }), '', fillPlaceholders), /Can't create a rule from this call/);
    assert.throws(() => proposeRules(askOf({ command: 'x'.repeat(5000) }), '', fillPlaceholders), /Can't create a rule from this call/);
    assert.throws(() => proposeRules({ ...askOf({}), input: undefined }, '', fillPlaceholders), /Can't create a rule from this call/);
  });
});
