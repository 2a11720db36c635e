import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rulePages } from '../../../src/jsonl/rules/rulePages';
import { ruleTable } from '../../../src/jsonl/rules/ruleTable';

describe('project/rules', () => {
  it('stand in the table of the README, each with its severity, what it finds and what to do', () => {
    const [, section = ''] = readFileSync('README.md', 'utf8').split(/^## Rules$/m);
    const [rules = ''] = section.split(/^## /m);
    const expected = Object.entries(ruleTable).map(([rule, { severity }]) => {
      const { finds, act } = rulePages[rule as keyof typeof ruleTable];
      return `| \`${rule}\` | ${severity} | ${finds} | ${act} |`;
    });
    assert.deepEqual(
      rules.split('\n').filter(line => line.startsWith('| `')),
      expected,
    );
  });
});
