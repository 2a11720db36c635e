import assert from 'node:assert/strict';
import { endsRequests, toChatModels } from '../../../../src/features/chatModels/toChatModels';
import type { Connection } from '../../../../src/features/connection';
import { fillPlaceholders } from '../requests/fillPlaceholders';

const lab = { name: 'Lab', baseUrl: 'https://lab.example/v1', isEmulator: false } as Connection;

describe('features/chatModels/toChatModels', () => {
  it('shows the target and the price of requests', () => {
    const [paid] = toChatModels(lab, [{ id: 'm', display_name: 'Model', created_at: '2026-01-01' }], fillPlaceholders);
    assert.deepEqual([paid?.id, paid?.name, paid?.family, paid?.version, paid?.detail], ['Lab/m', 'Model', 'm', '2026-01-01', 'Lab']);
    assert.equal(paid?.tooltip, 'Sent to Lab (lab.example), charged to your account');
    const [free] = toChatModels({ ...lab, isEmulator: true }, [{ id: 'm' }], fillPlaceholders);
    assert.match(free?.tooltip ?? '', /no cost$/);
    assert.equal(free?.name, 'm');
  });

  it('limits input and output, even if the service reports no limits', () => {
    const limits = (model: object) => {
      const [offered] = toChatModels(lab, [{ id: 'm', ...model }], fillPlaceholders);
      return [offered?.maxInputTokens, offered?.maxOutputTokens];
    };
    assert.deepEqual(limits({ max_input_tokens: 200_000, max_tokens: 4_096 }), [200_000, 4_096]);
    assert.deepEqual(limits({ max_input_tokens: 200_000, max_tokens: 128_000 }), [200_000, 32_000]);
    for (const unknown of [{}, { max_input_tokens: null, max_tokens: null }, { max_input_tokens: 0, max_tokens: -1 }]) {
      assert.deepEqual(limits(unknown), [128_000, 8_192]);
    }
  });

  it("uses the service's image support", () => {
    const takesImages = (capabilities: Readonly<Record<string, unknown>> | null) =>
      toChatModels(lab, [{ id: 'm', capabilities }], fillPlaceholders)[0]?.capabilities.imageInput;
    assert.deepEqual(
      [{ image_input: { supported: true } }, { image_input: { supported: false } }, { image_input: null }, null].map(takesImages),
      [...[true, false, false, false]],
    );
  });

  it('lists each model once, without invisible characters in its name', () => {
    const models = toChatModels(lab, [{ id: 'm' }, { id: 'n', display_name: 'a\u202eb' }, { id: 'm' }], fillPlaceholders);
    assert.deepEqual(
      models.map(({ name }) => name),
      ['m', 'a\\u{202e}b'],
    );
  });

  it('returns which VS Code versions cancel unused requests', () => {
    const ending = ['1.127.0', '1.139.1', '1.128.0-insider', '2.0.0'];
    const others = ['1.105.1', '1.126.9', '0.200.0', '', 'x'];
    assert.deepEqual([...ending, ...others].filter(endsRequests), ending);
  });
});
