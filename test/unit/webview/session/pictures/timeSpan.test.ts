import assert from 'node:assert/strict';
import { panSpan, spanShowing, toOffset, zoomSpan } from '../../../../../src/webview/session/pictures/timeSpan';

const whole = { from: 1000, to: 11_000 };

describe('webview/session/pictures/timeSpan', () => {
  it('zooms around a fixed moment', () => {
    assert.deepEqual(zoomSpan(whole, whole, 0.5, 3500), { from: 2250, to: 7250 });
  });

  it('zooms out to the whole and no further', () => {
    assert.deepEqual(zoomSpan({ from: 2000, to: 3000 }, whole, 100, 2500), whole);
  });

  it('zooms in to a minimum length', () => {
    const { from, to } = zoomSpan({ from: 2000, to: 2020 }, whole, 0.001, 2010);
    assert.equal(to - from, 20);
  });

  it('moves within the whole', () => {
    assert.deepEqual(panSpan({ from: 2000, to: 3000 }, whole, 500), { from: 2500, to: 3500 });
    assert.deepEqual(panSpan({ from: 2000, to: 3000 }, whole, -9999), { from: 1000, to: 2000 });
    assert.deepEqual(panSpan({ from: 2000, to: 3000 }, whole, 99_999), { from: 10_000, to: 11_000 });
  });

  it('shows a range: stays, moves or zooms out', () => {
    const span = { from: 2000, to: 3000 };
    assert.equal(spanShowing(span, whole, { from: 2100, to: 2200 }), span);
    assert.deepEqual(spanShowing(span, whole, { from: 5000, to: 5200 }), { from: 4600, to: 5600 });
    assert.deepEqual(spanShowing(span, whole, { from: 4000, to: 6000 }), { from: 3800, to: 6200 });
  });

  it('survives a session of one moment', () => {
    const moment = { from: 5, to: 5 };
    assert.deepEqual(zoomSpan(moment, moment, 0.5, 5), { from: 5, to: 25 });
  });

  it('formats the time since the start', () => {
    assert.equal(toOffset(65_000, 5000), '1:05');
    assert.equal(toOffset(7_200_000, 60_000), '2:00:00');
    assert.equal(toOffset(1250, 50), '0:01.250');
    assert.equal(toOffset(273_600_000, 86_400_000), '3 d 4:00:00');
  });
});
