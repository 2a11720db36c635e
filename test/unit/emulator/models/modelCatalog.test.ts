import assert from 'node:assert/strict';
import { ModelCatalog } from '../../../../src/emulator/models/modelCatalog';

describe('emulator/models/modelCatalog', () => {
  it("shows each model with its dialect's names, newest first", () => {
    const { models } = new ModelCatalog('claude-');
    const names = new Map(models.map(model => [model.id, model.display_name]));
    assert.equal(names.get('claude-opus-4-5-20251101'), 'Claude Opus 4.5 (2025-11-01) (emulated)');
    assert.equal(names.get('claude-mythos-preview'), 'Claude Mythos Preview (emulated)');
    const created = models.map(model => model.created_at);
    assert.deepEqual(created, created.toSorted().reverse());
    assert.ok(new ModelCatalog('vendor-').models.every(model => model.id.startsWith('vendor-') && model.max_tokens > 0));
  });

  it('knows the limits of its models and of no others', () => {
    const catalog = new ModelCatalog('vendor-');
    assert.equal(catalog.limitsOf('vendor-opus-4-6')?.maxTokens, 128_000);
    assert.equal(catalog.limitsOf('something-else')?.maxTokens, undefined);
    assert.equal(catalog.limitsOf('vendor-opus-4-6')?.fixedSampling, false);
    assert.equal(catalog.limitsOf('vendor-opus-4-7')?.fixedSampling, true);
  });
});
