import assert from 'node:assert/strict';
import { idOf, isNotBefore, millisecondsBetween, momentOf, toMoment } from '../../../../src/shared/session/eventFields';

describe('shared/session/eventFields', () => {
  it("reads the time of an event from each dialect's field", () => {
    const ms = Date.parse('2026-11-21T09:34:24.000Z');
    const at = (fields: object) => momentOf({ type: 'x', ...fields });
    assert.deepEqual(at({ processed_at: '2026-11-21T09:34:24.250Z' }), { ms: ms + 250, isCoarse: false });
    assert.deepEqual(at({ processed_at: null, created_at: '2026-11-21T09:34:24Z' }), { ms, isCoarse: true });
    assert.deepEqual(at({ processed_at_ms: ms + 7, seq: 3 }), { ms: ms + 7, isCoarse: false });
    assert.deepEqual(at({ ts: ms + 8 }), { ms: ms + 8, isCoarse: false });
    for (const nothing of [{}, { processed_at: null }, { processed_at: 'soon' }, { processed_at: 7 }, { ts: Number.NaN }]) {
      assert.equal(at(nothing), undefined);
    }
  });

  it("refines whole seconds by the agent's time, within that second only", () => {
    const ms = Date.parse('2026-11-21T09:34:24.000Z');
    const at = (timestamp: string) => momentOf({ type: 'x', created_at: '2026-11-21T09:34:24Z', timestamp });
    assert.deepEqual(at('2026-11-21T09:34:24.087011796Z'), { ms: ms + 87, isCoarse: false });
    assert.deepEqual(at('2026-11-21T09:34:25.000Z'), { ms, isCoarse: true });
    assert.deepEqual(at('2026-11-21T09:34:23.999Z'), { ms, isCoarse: true });
  });

  it('compares moments at the coarser precision of both', () => {
    const coarse = { ms: 5000, isCoarse: true };
    const fine = { ms: 5900, isCoarse: false };
    assert.ok(isNotBefore(coarse, fine) && isNotBefore(fine, coarse));
    assert.ok(!isNotBefore({ ms: 5800, isCoarse: false }, fine));
    assert.equal(millisecondsBetween(coarse, fine), undefined);
    assert.equal(millisecondsBetween(coarse, { ms: 6000, isCoarse: true }), 1000);
    assert.equal(millisecondsBetween(fine, { ms: 5901, isCoarse: false }), 1);
    assert.equal(millisecondsBetween(fine, undefined), undefined);
    assert.deepEqual(toMoment('2026-11-21T09:34:24+01:00'), { ms: Date.parse('2026-11-21T08:34:24Z'), isCoarse: true });
  });

  it("identifies an event by its ID, or by its message's ID", () => {
    assert.equal(idOf({ type: 'x', id: 'a', message_id: 'b' }), 'a');
    assert.equal(idOf({ type: 'x', id: null, message_id: 'b' }), 'b');
    assert.equal(idOf({ type: 'x', id: '' }), undefined);
  });
});
