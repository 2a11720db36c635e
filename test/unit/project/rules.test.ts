import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rulePages } from '../../../src/jsonl/rules/rulePages';
import { ruleTable } from '../../../src/jsonl/rules/ruleTable';

const readme = readFileSync('README.md', 'utf8');
const [, section = ''] = readme.split(/^## Rules$/m);
const [rules = ''] = section.split(/^## /m);
const rows = rules.split('\n').filter(line => line.startsWith('| `'));

describe('project/rules', () => {
  it('stand in the table of the README, each with its severity, what it finds and what to do', () => {
    const expected = Object.entries(ruleTable).map(([rule, { severity }]) => {
      const { finds, act } = rulePages[rule as keyof typeof ruleTable];
      return `| \`${rule}\` | ${severity} | ${finds} | ${act} |`;
    });
    assert.deepEqual(rows, expected);
  });

  it('say in whole sentences what they find, why, and what to do', () => {
    for (const [rule, { title, finds, why, act }] of Object.entries(rulePages)) {
      assert.match(title, /^[\w][^.]*$/, rule);
      for (const sentence of [finds, why, act]) {
        assert.match(sentence, /^[^|\n]+\.$/, rule);
      }
    }
  });
});
