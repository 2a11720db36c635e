import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Recorded } from '../../../../../src/features/sessions/testing/recordedAnswers';
import { runs } from '../../../../helpers/runs';

describe('features/sessions/testing/recorded', () => {
  const tea = { tool: 'get_price', input: { item: 'tea' } };
  const milk = { tool: 'get_price', input: { item: 'milk' } };

  it("matches by arguments first, then takes the tool's next answer, each once", () => {
    const recorded = new Recorded([tea, milk, { ...tea, tool: 'other' }], []);
    assert.deepEqual(recorded.take(milk), { entry: milk, index: 1, by: 'arguments' });
    assert.deepEqual(recorded.take(milk), { entry: tea, index: 0, by: 'order' });
    assert.equal(recorded.take(milk), undefined);
  });

  it('skips ignored arguments, and lets an entry without arguments match any', () => {
    assert.equal(new Recorded([milk], ['/item']).take(tea)?.by, 'arguments');
    assert.equal(new Recorded([{ tool: 'get_price' }], []).take(tea)?.by, 'arguments');
    assert.equal(new Recorded([{ ...tea, server: 'shop' }], []).take(tea), undefined);
  });

  it('returns as many answers as were recorded, exact matches first', () => {
    const entry = fc.record({ tool: fc.constantFrom('a', 'b'), input: fc.record({ n: fc.integer({ min: 0, max: 2 }) }) });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.array(entry, { maxLength: 12 }), (entries, calls) => {
        const recorded = new Recorded(entries, []);
        const left = new Set(entries.keys());
        for (const call of calls) {
          const fitting = [...left].filter(at => entries[at]?.tool === call.tool);
          const same = fitting.find(at => entries[at]?.input.n === call.input.n);
          const found = recorded.take(call);
          assert.equal(found?.index, same ?? fitting[0]);
          assert.equal(found?.by, found && (same === undefined ? 'order' : 'arguments'));
          left.delete(found?.index ?? -1);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
