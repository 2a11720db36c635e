import assert from 'node:assert/strict';
import { maxMemoryBytes } from '../../../../../src/contract/memoryPath';
import { describePathProblem, describeTooLarge } from '../../../../../src/features/resources/memories/memoryLimits';
import { context } from '../presenting';

describe('features/resources/memories/memoryLimits', () => {
  it('tells of a text that is too large how much of it is too much', () => {
    assert.equal(describeTooLarge(maxMemoryBytes, context.translate, 'en'), undefined);
    assert.equal(describeTooLarge(maxMemoryBytes + 29, context.translate, 'en'), 'A memory can have 102,400 bytes. This text has 102,429.');
  });

  it('has a sentence for every way in which a path can be wrong', () => {
    const problems = ['start', 'empty', 'long', 'segments', 'characters', 'form'] as const;
    const sentences = problems.map(problem => describePathProblem(problem, context.translate));
    assert.ok(sentences.every(sentence => /^[A-Z].*\.$/.test(sentence)));
  });
});
