import assert from 'node:assert/strict';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { foundIn, problemsIn, sound } from './foundIn';

describe('jsonl/rules/modelRules', () => {
  it('finds sampling options that models after the sixth-generation flagship reject', () => {
    const rule = 'sampling-rejected';
    for (const model of [
      'vendor-opus-4-7',
      'vendor-opus-4-8',
      'vendor-opus-5',
      'vendor-sonnet-5',
      'vendor-fable-5',
      'vendor-mythos-5',
      'vendor-mythos-preview',
    ]) {
      assert.deepEqual(foundIn(rule, { model, temperature: 0.999 }), ['error temperature 0.999'], model);
      assert.deepEqual(foundIn(rule, { model, temperature: 1 }), []);
      assert.deepEqual(foundIn(rule, { model, top_k: 0 }), ['error top_k 0']);
      assert.deepEqual(foundIn(rule, { model, top_p: 0.989 }), ['error top_p 0.989']);
      assert.deepEqual(foundIn(rule, { model, top_p: 0.99 }), []);
    }
    for (const model of ['vendor-opus-4-6', 'vendor-sonnet-4-6', 'vendor-haiku-4-5-20251001', 'vendor-opus-4', 'another']) {
      assert.deepEqual(foundIn(rule, { model, temperature: 0, top_k: 5, top_p: 0.5 }), [], model);
    }
  });

  it("finds sampling options that a fallback's model rejects, at the fallback", () => {
    const rule = 'sampling-rejected';
    const fallbacks = [{ model: 'vendor-opus-4-6' }, { model: 'vendor-opus-5' }];
    assert.deepEqual(foundIn(rule, { temperature: 0.5, fallbacks }), ['warning fallbacks.1.model "vendor-opus-5"']);
    assert.deepEqual(foundIn(rule, { temperature: 1, top_p: 1, fallbacks }), []);
    assert.deepEqual(foundIn(rule, { model: 'vendor-opus-5', top_k: 5, fallbacks }).length, 2);
  });

  it("warns of features that the connection's model lacks", () => {
    const rule = 'model-limit';
    const options = {
      ...contractRules('2026-01-01'),
      modelFacts: [
        { id: 'small', maxTokens: 2000, isNeverFast: true },
        { id: 'large', maxTokens: 9000 },
      ],
    };
    const { messages } = sound;
    const found = (params: object) => {
      const line = JSON.stringify({ messages, ...params });
      const { problems } = checkRequestLine(line, 0, options);
      // All lines share this checker, which must not report the problems of one model for another model.
      assert.deepEqual(quick.check(line, 0).problems, problems, line);
      return problems.filter(problem => problem.rule === rule).map(({ severity, path: [at] }) => `${severity} ${at}`);
    };
    const quick = new QuickLineCheck(options);
    for (const extra of [{}, { extra: 1 }]) {
      assert.deepEqual(found({ model: 'large', max_tokens: 2001, speed: 'fast', ...extra }), []);
      assert.deepEqual(found({ model: 'small', max_tokens: 2000, speed: 'standard', ...extra }), []);
      assert.deepEqual(found({ model: 'small', max_tokens: 2001, ...extra }), ['warning max_tokens']);
      assert.deepEqual(found({ model: 'small', max_tokens: 2000, speed: 'fast', ...extra }), ['warning speed']);
      assert.deepEqual(found({ model: 'other', max_tokens: 1e12, speed: 'fast', ...extra }), []);
    }
  });

  it('reports names that can hardly be models, without a connection too', () => {
    const rule = 'unknown-model';
    const hint = (model: string, models?: readonly string[]) => problemsIn(rule, { model }, { models })[0]?.hint?.suggestion;
    assert.deepEqual(foundIn(rule, { model: 'vendor-opus5' }), ['information model "vendor-opus5"']);
    assert.equal(hint('vendor-opus5'), 'vendor-opus-5');
    assert.equal(hint('vender-sonnet-4.5'), 'vendor-sonnet-4-5');
    for (const models of [undefined, ['vendor-opus-5', ' ']]) {
      assert.equal(hint(' vendor-opus-5', models), 'vendor-opus-5');
      assert.deepEqual(foundIn(rule, { model: '' }, { models }), ['information model ""']);
      assert.equal(hint(' ', models), undefined);
    }
    assert.equal(hint('anything ', ['vendor-opus-5']), undefined);
    assert.equal(hint('vendor-opus5 '), 'vendor-opus-5');
    for (const model of ['vendor-opus-5', 'vendor-opus-6', 'vendor-opus-4-9', 'vendor-haiku-5', 'house-large', 'gpt']) {
      assert.deepEqual(foundIn(rule, { model }), [], model);
    }
  });

  it("recognizes the contract's models with a service's prefix", () => {
    const options = { modelPrefix: 'house-', models: [] };
    assert.deepEqual(foundIn('sampling-rejected', { model: 'house-opus-5', temperature: 0 }, options).length, 1);
    assert.deepEqual(foundIn('sampling-rejected', { model: 'house-opus-4-6', temperature: 0 }, options), []);
    assert.deepEqual(problemsIn('deprecated-model', { model: 'house-mythos-preview' }, options)[0]?.hint, { suggestion: 'house-mythos-5' });
    assert.deepEqual(foundIn('unknown-model', { model: 'house-sonnet-4-5' }, options), []);
    assert.deepEqual(problemsIn('unknown-model', { model: 'house-sonet-4-5' }, options)[0]?.hint, { suggestion: 'house-sonnet-4-5' });
  });

  it('reports a model whose support ends, before and after its last day, also in fallbacks', () => {
    const rule = 'deprecated-model';
    const more = { model: 'vendor-mythos-preview', fallbacks: [{ model: 'vendor-mythos-preview' }] };
    const sentences = (today: string) => problemsIn(rule, more, { today }).map(({ sentence, hint }) => [sentence, hint?.suggestion]);
    const before = ['vendor-mythos-preview is deprecated, and its support ends on 2026-06-30. Use vendor-mythos-5.', 'vendor-mythos-5'];
    const after = ['Support for vendor-mythos-preview ended on 2026-06-30. Use vendor-mythos-5.', 'vendor-mythos-5'];
    assert.deepEqual(sentences('2026-06-30'), [before, before]);
    assert.deepEqual(sentences('2026-07-01'), [after, after]);
    assert.deepEqual(foundIn(rule, { model: 'vendor-mythos-5' }), []);
  });

  it('reports a model that neither the connection nor the contract has, if the models are known', () => {
    const rule = 'unknown-model';
    const models = ['house-large'];
    assert.deepEqual(foundIn(rule, { model: 'anything' }), []);
    assert.deepEqual(foundIn(rule, { model: 'house-large' }, { models }), []);
    assert.deepEqual(foundIn(rule, { model: 'vendor-opus-4-6' }, { models }), []);
    assert.deepEqual(foundIn(rule, { fallbacks: [{ model: 'anything' }] }, { models }), ['information fallbacks.0.model "anything"']);
    assert.deepEqual(problemsIn(rule, { model: 'house-lage' }, { models })[0]?.hint, { suggestion: 'house-large' });
    assert.equal(problemsIn(rule, { model: 'anything' }, { models })[0]?.hint, undefined);
  });
});
