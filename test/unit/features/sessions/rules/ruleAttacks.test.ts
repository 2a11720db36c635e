import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decideByRules } from '../../../../../src/features/sessions/rules/decideByRules';
import { proposeRules } from '../../../../../src/features/sessions/rules/proposeRules';
import { parseReadingCommand, readingPrograms } from '../../../../../src/features/sessions/rules/readingCommands';
import type { ApprovalRule, FieldPattern } from '../../../../../src/features/sessions/rules/ruleFiles';
import { runs, someOf } from '../../../../helpers/runs';
import { attacks, runnable } from './commandAttacks';
import { CommandSandbox } from './commandSandbox';
import { askOf, ruleOf } from './ruleFixtures';

const readers = [...readingPrograms.keys()];
const all = Object.values(attacks).flat();

function rulesOf(patterns: readonly FieldPattern[]): readonly ApprovalRule[] {
  return patterns.map(pattern => ruleOf({ fields: [pattern] }));
}

/** Returns the patterns of the allowing rules that are proposed for a command. */
function suggested(command: string): readonly FieldPattern[] {
  return proposeRules(askOf({ command }), '', text => text).flatMap(({ rule }) => (rule.result === 'allow' ? rule.fields : []));
}

function isAllowed(rules: readonly ApprovalRule[], command: string): boolean {
  return (decideByRules(rules, askOf({ command })) ?? []).length > 0;
}

/** Returns the options that `readingPrograms` lists for a program. */
function optionsOf(program: string): { readonly letters: readonly string[]; readonly names: readonly string[] } {
  const [letters = '', ...names] = (readingPrograms.get(program) ?? '').split(' ');
  return { letters: [...letters.slice(1)], names };
}

describe('features/sessions/rules: attacks', () => {
  const examples = Object.keys(attacks);
  const reading = readers.flatMap(program => rulesOf([{ field: 'command', match: 'command', words: program }]));
  const rules = [...examples.flatMap(example => rulesOf(suggested(example))), ...reading];

  it('are allowed by no proposed rule', () => {
    assert.ok(new Set(all).size >= 200);
    const allowed = all.filter(command => isAllowed(rules, command));
    assert.deepEqual(allowed, []);
  });

  it('are proposed for a rule only unchanged, or with a warning that other programs may run', () => {
    const offered = all.map(command => suggested(command).filter(({ match }) => match !== 'folder'));
    assert.deepEqual(
      offered,
      all.map(value => [{ field: 'command', match: 'equals', value }]),
    );
  });

  it('are real: in a shell, they run or write something harmful @ci', () => {
    const box = new CommandSandbox(
      'git init -q --template= && git add a b changed && git commit -qm x; tar cf a.tar a; zip -q a.zip a; echo after > changed',
    );
    try {
      const failed: string[] = [];
      const tried = someOf(
        runnable.flatMap(example => attacks[example] ?? []),
        60,
      );
      for (const command of tried) {
        box.reset();
        const { ran, wrote } = box.run(command);
        if (!ran && wrote.length === 0) {
          failed.push(command);
        }
      }
      // Some attacks need a terminal, or another version of the attacked program.
      assert.ok(failed.length <= tried.length / 6, failed.join('\n'));
    } finally {
      box.dispose();
    }
  });
});

describe('features/sessions/rules: commands that only read', () => {
  const rules = readers.map(program => ruleOf({ fields: [{ field: 'command', match: 'command', words: program }] }));
  const options = new Map(readers.map(program => [program, optionsOf(program)]));
  let box: CommandSandbox;
  before('make the sandbox', () => {
    box = new CommandSandbox();
  });
  after('remove it', () => box.dispose());

  /** Asserts that a command neither runs `./evil` nor writes a file. */
  function assertHarmless(command: string): void {
    assert.deepEqual(box.run(command), { ran: false, wrote: [] }, command);
  }

  it('are harmless in a sandbox that detects harm', () => {
    assert.equal(box.run('cat a; ./evil').ran, true);
    for (const command of ['touch new', 'touch a', 'chmod 600 b', 'mkdir src/new', 'cat b > a', 'rm b', 'touch "$HOME/new"', 'ln a hard']) {
      assert.notDeepEqual(box.run(command).wrote, [], command);
    }
    box.reset();
  });

  it('run nothing and write nothing with any of their options', () => {
    for (const [program, { letters, names }] of options) {
      assert.ok(isAllowed(rules, program), program);
      const commands = [...letters.map(letter => `-${letter}`), ...names, ...names.map(name => `${name}=./evil`)].map(
        option => `${program} ${option} ./evil victim new`,
      );
      assert.deepEqual(
        commands.filter(command => !isAllowed(rules, command)),
        [],
      );
      assertHarmless(commands.join('\n'));
    }
  });

  it('have only the listed options of their program, at any position and with any quoting', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
    const name = fc.oneof(fc.constantFrom(...[...options.values()].flatMap(({ names }) => names)), fc.stringMatching(/^--[a-z-]{0,12}$/));
    const option = fc.oneof(
      fc.array(letter, { maxLength: 4 }).map(letters => `-${letters.join('')}`),
      fc.tuple(name, fc.constantFrom('', '=victim', '=./evil')).map(parts => parts.join('')),
      name.map(whole => whole.slice(0, -1)),
    );
    const word = fc.oneof(option, fc.constantFrom('a', './evil', 'victim', 'new', '--', '+5'));
    const quoted = fc.tuple(word, fc.constantFrom('', '"', "'")).map(([text, quote]) => quote + text + quote);
    let allowed = 0;
    fc.assert(
      fc.property(fc.constantFrom(...readers), fc.array(quoted, { maxLength: 3 }), (program, words) => {
        const { letters, names } = options.get(program) ?? assert.fail();
        const isListed = words
          .map(text => text.replaceAll(/["']/g, ''))
          .filter(text => text.startsWith('-'))
          .every(text =>
            text.startsWith('--')
              ? names.some(known => text === known || text.startsWith(`${known}=`))
              : text !== '-' && [...text.slice(1)].every(each => letters.includes(each)),
          );
        const command = [program, ...words].join(' ');
        assert.equal(isAllowed(rules, command), isListed, command);
        if (isListed && allowed++ < runs(400, 20)) {
          assertHarmless(command);
        }
      }),
      { numRuns: runs(5000, 1000) },
    );
    assert.ok(allowed > 20, `${allowed} were allowed`);
  });

  for (const [what, command] of [
    ['a program by its path', '/bin/ls'],
    ['a program of the folder', './ls'],
    ['a program whose name is quoted together with more', '"ls a"'],
    ['an assignment before it', 'PATH=. ls'],
    ['another program', 'git status'],
    ['an option behind --', 'ls -- --time'],
    ['an option as the value of another', 'head -n --pid a'],
    ['an option in pieces', 'ls -"-"time'],
    ['a single hyphen', 'cat -'],
    ['a name of every object', 'constructor'],
  ] as const) {
    it(`don't include ${what}`, () => assert.equal(parseReadingCommand(command), undefined));
  }
});
