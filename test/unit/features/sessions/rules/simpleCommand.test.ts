import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { beginsCommand, wordsOf } from '../../../../../src/features/sessions/rules/readingCommands';
import { anyCharacter } from '../../../../helpers/anyCharacter';
import { runs } from '../../../../helpers/runs';

describe('features/sessions/rules/simpleCommand', () => {
  for (const command of ['npm test', 'npm test --watch=no', 'npm test -- "a name" src/a.test.ts', "npm test 'x y'"]) {
    it(`accepts ${command}`, () => assert.equal(beginsCommand(command, 'npm test'), true));
  }

  for (const [what, command] of [
    ['another word', 'npm tests'],
    ['a word that goes on', 'npm test-all'],
    ['a quote that goes on', 'npm test"-all"'],
    ['words before', ' npm test'],
    ['an assignment before', 'PATH=. npm test'],
    ['a list', 'npm test; rm -rf /'],
    ['and', 'npm test && rm -rf /'],
    ['or', 'npm test || rm -rf /'],
    ['a pipe', 'npm test | sh'],
    ['the background', 'npm test & rm -rf /'],
    ['a line', 'npm test\nrm -rf /'],
    ['a carriage return', 'npm test\rrm -rf /'],
    ['another line of Unicode', 'npm test\u2028rm -rf /'],
    ['a tab', 'npm test\trm'],
    ['a substitution', 'npm test $(rm -rf /)'],
    ['an old substitution', 'npm test `rm -rf /`'],
    ['one in quotes', 'npm test "$(rm -rf /)"'],
    ['a variable', 'npm test $HOME'],
    ['a redirection', 'npm test > /etc/passwd'],
    ['input', 'npm test < /etc/passwd'],
    ['a process substitution', 'npm test <(rm x)'],
    ['a subshell', 'npm test (rm)'],
    ['braces', 'npm test {a,b}'],
    ['a glob', 'npm test *'],
    ['a home folder', 'npm test ~/x'],
    ['history', 'npm test !!'],
    ['a comment', 'npm test # x'],
    ['an escape', 'npm test \\\nrm'],
    ['an open quote', 'npm test "'],
    ['an open quote in another', `npm test '"`],
    ['look-alike letters', 'npm t\u0435st'],
    ['full width', 'npm test\uff1b rm -rf /'],
    ['a blank of another kind', 'npm test\u00a0rm'],
    ['NUL', 'npm test\0'],
    ['what turns the text', 'npm test \u202ehs | mr'],
    ['no end', `npm test ${'x'.repeat(20_000)}`],
  ] as const) {
    it(`rejects a command with ${what}`, () => assert.equal(beginsCommand(command, 'npm test'), false));
  }

  it('rejects rules that start with an assignment, or contain quotes or operators', () => {
    for (const words of ['git; rm', 'a=b', 'a=b c', '"git"', 'git "a', 'git ', ' git', 'git  x', '', ' ', '$X', 'git\n', '(git', '*']) {
      assert.equal(beginsCommand(words, words), false, words);
      assert.equal(beginsCommand(`${words} x`, words), false, words);
    }
    assert.ok(beginsCommand('git status', 'git status') && beginsCommand('./build.sh --fast=1', './build.sh --fast=1'));
  });

  it('splits words like a shell', () => {
    for (const [command, words] of [
      ['one two  three ', ['one', 'two', 'three']],
      [`one 'two "x" three' "it's"`, ['one', 'two "x" three', "it's"]],
      [`one -"a"'b'c '' "" d`, ['one', '-abc', '', '', 'd']],
      ['', []],
    ] as const) {
      assert.deepEqual(wordsOf(command), words, command);
    }
  });

  it('accepts only what a real shell runs as one command', () => {
    const plain = fc.constantFrom(' a', ' --x=y', " 'b c'", ' "d"', ' ./e', ' @f', ' +1,2:3');
    const sign = fc.constantFrom(';', '&&', '|', '\n', '$(id)', '`id`', "'", '"', '\\', '>f', '#', '(', '{', '*', '~', '!', '\u00a0', '\t');
    const rest = fc.array(fc.oneof({ weight: 6, arbitrary: plain }, sign, fc.string({ unit: anyCharacter, maxLength: 2 })), {
      maxLength: 6,
    });
    let taken = 0;
    fc.assert(
      fc.property(rest, words => {
        const command = `one two${words.join('')}`;
        if (beginsCommand(command, 'one two')) {
          taken++;
          // `one` is the only command that the shell finds. It reports each call.
          const { stdout, status } = spawnSync('/bin/sh', ['-c', `one() { printf 'called\\n'; }\n${command}`], {
            encoding: 'utf8',
            env: { PATH: '/nowhere' },
          });
          assert.deepEqual({ stdout, status }, { stdout: 'called\n', status: 0 }, JSON.stringify(command));
        }
      }),
      { numRuns: runs(1000, 100) },
    );
    assert.ok(taken > 5, `${taken} were taken`);
  });
});
