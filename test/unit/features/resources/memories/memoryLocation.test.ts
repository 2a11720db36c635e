import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maxMemoryBytes } from '../../../../../src/contract/memoryPath';
import {
  describePathProblem,
  describeTooLarge,
  parseUriPath,
  toUriPath,
} from '../../../../../src/features/resources/memories/memoryLocation';
import { anyCharacter } from '../../../../helpers/anyCharacter';
import { runs } from '../../../../helpers/runs';
import { context } from '../presenting';

describe('features/resources/memories/memoryLocation', () => {
  const place = (path: string) => ({ connection: 'Team / Lab', storeId: 'memstore_1', path });

  it('shows a path unchanged, if it is safe', () => {
    assert.equal(toUriPath(place('/project/Größe 世界.md')), '/Team %2F Lab/memstore_1/project/Größe 世界.md');
    assert.equal(toUriPath(place('/')), '/Team %2F Lab/memstore_1');
    assert.equal(toUriPath(place('/a\\b/\u202egpj.md/50%')), '/Team %2F Lab/memstore_1/a%5Cb/%E2%80%AEgpj.md/50%25');
    assert.equal(toUriPath(place('/../x')), '/Team %2F Lab/memstore_1/%2E%2E/x');
  });

  it('round-trips a path with any characters', () => {
    const segment = fc.oneof(fc.string({ unit: anyCharacter, minLength: 1 }), fc.constantFrom('.', '..', '%', '\\'));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), segments => {
        const wanted = place(`/${segments.map(one => one.replaceAll('/', '-')).join('/')}`);
        assert.deepEqual(parseUriPath(toUriPath(wanted)), wanted);
        assert.doesNotMatch(toUriPath(wanted), /\\|\u202e|\p{Cc}/u);
      }),
      { numRuns: runs(5000) },
    );
    assert.deepEqual(parseUriPath('/c/s/'), { connection: 'c', storeId: 's', path: '/' });
    assert.equal(parseUriPath('/c'), undefined);
    assert.deepEqual(parseUriPath('/c/s/100%'), { connection: 'c', storeId: 's', path: '/100%' });
  });
});

describe('features/resources/memories/memoryLocation memoryLimits', () => {
  it('describes how much a text exceeds the limit', () => {
    assert.equal(describeTooLarge(maxMemoryBytes, context.translate, 'en'), undefined);
    assert.equal(describeTooLarge(maxMemoryBytes + 29, context.translate, 'en'), 'A memory can have 102,400 bytes. This text has 102,429.');
  });

  it('describes the problem of every invalid path', () => {
    const problems = ['start', 'empty', 'long', 'segments', 'characters', 'form'] as const;
    const sentences = problems.map(problem => describePathProblem(problem, context.translate));
    assert.ok(sentences.every(sentence => /^[A-Z].*\.$/.test(sentence)));
  });
});
