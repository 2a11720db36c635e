import assert from 'node:assert/strict';
import { toMissingQuestion, toOpenQuestion } from '../../../../src/features/links/linkPresentation';
import { fillPlaceholders } from '../requests/fillPlaceholders';

const lab = { name: 'Lab', baseUrl: 'https://a.example', isEmulator: false };

describe('features/links/linkPresentation', () => {
  it('names the target and the service', () => {
    assert.deepEqual(toOpenQuestion({ kind: 'session', id: 's', host: 'a.example', event: 'e' }, lab, fillPlaceholders), {
      message: 'Open s on a.example?',
      detail: 'Event: e\n\nThe link uses your connection "Lab".',
    });
    assert.equal(
      toOpenQuestion({ kind: 'agent', id: 'g', host: 'a.example', version: 2 }, lab, fillPlaceholders).message,
      'Open g on a.example?',
    );
  });

  it('names the host of the connection, not the one in the link', () => {
    const { message } = toOpenQuestion({ kind: 'batch', id: 'b', host: 'trusted.example', connection: 'Lab' }, lab, fillPlaceholders);
    assert.equal(message, 'Open b on a.example?');
  });

  it('shows the host of a connection with the same name', () => {
    const link = { kind: 'session', id: 's', host: 'evil.example', connection: 'Lab' } as const;
    assert.deepEqual(toMissingQuestion(link, lab, fillPlaceholders), {
      message: 'No connection points to evil.example.',
      detail: 'Your connection "Lab" points to a.example. Add a connection to evil.example if you trust it, then open the link again.',
    });
  });
});
