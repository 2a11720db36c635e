import assert from 'node:assert/strict';
import { findOffers } from '../../../../src/jsonl/guide/offers';
import { chosen, labelsAt, offersAt, requestSchema } from './guideSchema';

describe('jsonl/guide/offers', () => {
  it('offers missing fields', () => {
    assert.deepEqual(labelsAt('{|}'), ['custom_id', 'params']);
    assert.deepEqual(labelsAt('{"custom_id":"a",|}'), ['params']);
    const fields = labelsAt('{"custom_id":"a","params":{"model":"m",|}}');
    assert.deepEqual(fields.slice(0, 4), ['max_tokens', 'system', 'messages', 'tools']);
    assert.ok(fields.includes('thinking') && !fields.includes('model'));
    assert.deepEqual(fields.slice(-4).sort(), ['output_format', 'temperature', 'top_k', 'top_p']);
  });

  for (const [marked, label, expected] of [
    ['{"params": {|}}', 'max_tokens', '{"params": {"max_tokens": 1024}}'],
    ['{"params":{|}}', 'max_tokens', '{"params":{"max_tokens":1024}}'],
    ['{"params": {"mod|"}}', 'model', '{"params": {"model": ""}}'],
    ['{"params": {"mod|}}', 'model', '{"params": {"model": ""}}'],
    ['{"params": {mod|}}', 'model', '{"params": {"model": ""}}'],
    ['{"params": {"|": 5}}', 'max_tokens', '{"params": {"max_tokens": 5}}'],
    ['{"params": {"max_tok|ens": 5}}', 'max_tokens', '{"params": {"max_tokens": 5}}'],
    ['{"params": {"|" "model": "m"}}', 'max_tokens', '{"params": {"max_tokens": 1024, "model": "m"}}'],
    ['{"params": {"|"model": "m"}}', 'max_tokens', '{"params": {"max_tokens": 1024, "model": "m"}}'],
    ['{"params": {"max|"model": "m"}}', 'max_tokens', '{"params": {"max_tokens": 1024, "model": "m"}}'],
    ['{"params": {| "model": "m"}}', 'max_tokens', '{"params": {"max_tokens": 1024, "model": "m"}}'],
    ['{"params": {"model": "m" |}}', 'max_tokens', '{"params": {"model": "m" , "max_tokens": 1024}}'],
    ['{"params": {"model": "m", |}}', 'max_tokens', '{"params": {"model": "m", "max_tokens": 1024}}'],
    ['{"params": {"model": "m", "max|, "stream": true}}', 'max_tokens', '{"params": {"model": "m", "max_tokens": 1024, "stream": true}}'],
    ['{"params": {|', 'model', '{"params": {"model": ""'],
    ['{"params": {"messages": [{"role": "|"}]}}', 'user', '{"params": {"messages": [{"role": "user"}]}}'],
    ['{"params": {"messages": [{"role": |}]}}', 'user', '{"params": {"messages": [{"role": "user"}]}}'],
    ['{"params": {"messages": [{"role": "us|, "content": "x"}]}}', 'user', '{"params": {"messages": [{"role": "user", "content": "x"}]}}'],
    ['{"params": {"messages": [{"role": | "content": "x"}]}}', 'user', '{"params": {"messages": [{"role": "user", "content": "x"}]}}'],
    ['{"params": {"stream": t|}}', 'true', '{"params": {"stream": true}}'],
    ['{"params": {|}}', 'thinking', '{"params": {"thinking": {"type": ""}}}'],
    ['{"params": {|}}', 'messages', '{"params": {"messages": [{"role": "user", "content": ""}]}}'],
    ['{"params": {|}}', 'stream', '{"params": {"stream": true}}'],
    ['{"params": {|}}', 'stop_sequences', '{"params": {"stop_sequences": [""]}}'],
    [
      '{"params": {"thinking": {"type": "enabled", |}}}',
      'budget_tokens',
      '{"params": {"thinking": {"type": "enabled", "budget_tokens": 1024}}}',
    ],
    ['{"params": {"thinking": |}}', 'adaptive', '{"params": {"thinking": {"type": "adaptive"}}}'],
    ['{"params": {"tools": [|]}}', 'bash_20250124', '{"params": {"tools": [{"type": "bash_20250124", "name": "bash"}]}}'],
    [
      '{"params": {"tools": [{"type": "bash_20250124", "name": "bash"}|]}}',
      'memory_20250818',
      '{"params": {"tools": [{"type": "bash_20250124", "name": "bash"}, {"type": "memory_20250818", "name": "memory"}]}}',
    ],
    ['{"params": {"tools": [{"type": "bash_20250124", |}]}}', 'name', '{"params": {"tools": [{"type": "bash_20250124", "name": "bash"}]}}'],
    [
      '{"params": {"tools": [{"name": "look_up"}], "tool_choice": {"type": "tool", "name": "|"}}}',
      'look_up',
      '{"params": {"tools": [{"name": "look_up"}], "tool_choice": {"type": "tool", "name": "look_up"}}}',
    ],
    ['{"model": "m", |}', 'max_tokens', '{"model": "m", "max_tokens": 1024}'],
    ['{"params": {"system": "say \\"hi\\", {", |}}', 'model', '{"params": {"system": "say \\"hi\\", {", "model": ""}}'],
  ] as const) {
    it(`completes ${marked} with ${label}`, () => assert.equal(chosen(marked, label), expected));
  }

  it('offers no system role for messages', () => {
    assert.deepEqual(labelsAt('{"params": {"messages": [{"role": "|"}]}}'), ['user', 'assistant']);
  });

  for (const [marked, label, expected] of [
    [
      '{\n  "params": {\n    "model": "m"\n    |\n  }\n}',
      'max_tokens',
      '{\n  "params": {\n    "model": "m",\n    "max_tokens": 1024\n  }\n}',
    ],
    [
      '{\n  "params": {\n    "max_|"\n    "model": "m"\n  }\n}',
      'max_tokens',
      '{\n  "params": {\n    "max_tokens": 1024,\n    "model": "m"\n  }\n}',
    ],
    ['{\n  "params": {"model": "m"|}\n}', 'max_tokens', '{\n  "params": {"model": "m", "max_tokens": 1024}\n}'],
    [
      '{\r\n  "model": "m",\r\n  |\r\n  "stream": true\r\n}',
      'max_tokens',
      '{\r\n  "model": "m",\r\n  "max_tokens": 1024,\r\n  "stream": true\r\n}',
    ],
  ] as const) {
    it(`inserts a whole member into a request over several lines: ${JSON.stringify(marked)}`, () =>
      assert.equal(chosen(marked, label, { isPretty: true }), expected));
  }

  it('offers the same order of fields in a request over several lines', () => {
    const line = '{"params": {"model": "m", |}}';
    assert.deepEqual(labelsAt(line.replaceAll(/(?<=[{,])/g, '\n'), { isPretty: true }), labelsAt(line));
  });

  it('offers nothing inside free text, in an unknown field, and after the end', () => {
    for (const marked of [
      '{"params": {"messages": [{"role": "user", "content": "Hel|lo"}]}}',
      '{"params": {"nothing": |}}',
      '{"params": {"input": {"|": 1}}}',
      '{"params": {"model" |: "m"}}',
      '{}|',
      '"x|',
    ]) {
      assert.deepEqual(labelsAt(marked), [], marked);
    }
  });

  it('offers a whole request on an empty line, with the next ID', () => {
    assert.deepEqual(labelsAt('|'), ['request', 'request with a tool', 'message params']);
    assert.deepEqual(labelsAt('|', { isBare: true })[0], 'message params');
    const line = chosen('|', 'request', { ids: ['q-0007'], models: [{ id: 'vendor-opus-5' }] });
    assert.deepEqual(JSON.parse(line), {
      custom_id: 'q-0007',
      params: { model: 'vendor-opus-5', max_tokens: 1024, messages: [{ role: 'user', content: '' }] },
    });
    JSON.parse(chosen('req|', 'request'));
    JSON.parse(chosen('  |', 'request with a tool'));
    JSON.parse(chosen('|', 'message params'));
  });

  it('offers the fields of a request in the usual order, deprecated ones last', () => {
    const first = ['model', 'max_tokens', 'system', 'messages', 'tools'];
    const labels = labelsAt('{"params": {|}}');
    assert.deepEqual(labels.slice(0, 5), first);
    assert.deepEqual(labelsAt('{"model": "m", "messages": [], |}').slice(0, 3), ['max_tokens', 'system', 'tools']);
    assert.deepEqual(labelsAt('{|}').slice(0, 2), ['custom_id', 'params']);
    // In a tool, the required fields come first.
    assert.deepEqual(labelsAt('{"params": {"tools": [{|}]}}').slice(0, 2).sort(), ['input_schema', 'name']);
  });

  it('spaces a new line like the one before it', () => {
    assert.match(chosen('|', 'message params', { like: '{"a":1}' }), /^\{"model":"[^ ]+","max_tokens":1024,/);
    assert.match(chosen('|', 'message params', { like: '{"a": 1}' }), /^\{"model": "[^ ]+", "max_tokens": 1024,/);
  });

  it('asks again for values from elsewhere in the request, and for IDs', () => {
    const asksNext = (marked: string, label: string) =>
      offersAt(marked, { ids: ['q-2'] }).offers.find(offer => offer.label === label)?.asksNext;
    assert.equal(asksNext('{|}', 'custom_id'), true);
    assert.equal(asksNext('{"params":{"tools":[{"name":"x"}],"tool_choice":{"type":"tool",|}}}', 'name'), true);
    assert.equal(asksNext('{"params":{"tool_choice":{"type":"tool",|}}}', 'name'), false);
    assert.equal(chosen('{"custom_id":"|"}', 'q-2', { ids: ['q-2'] }), '{"custom_id":"q-2"}');
  });

  it("offers the service's models with their names, then the contract's, deprecated ones last", () => {
    const { offers } = offersAt('{"params": {"model": "|"}}', {
      models: [{ id: 'house-1', displayName: 'House One' }, { id: 'vendor-opus-5' }],
    });
    const sorted = [...offers].sort((a, b) => a.rank - b.rank);
    assert.deepEqual(
      sorted.slice(0, 2).map(({ label, detail }) => [label, detail]),
      [
        ['house-1', 'House One'],
        ['vendor-opus-5', ''],
      ],
    );
    assert.equal(offers.filter(({ label }) => label === 'vendor-opus-5').length, 1);
    assert.deepEqual(
      sorted.filter(({ isDeprecated }) => isDeprecated).map(({ label }) => label),
      ['vendor-mythos-preview'],
    );
    assert.equal(sorted.at(-1)?.label, 'vendor-mythos-preview');
  });

  it('offers models neither in a free object nor in text', () => {
    for (const marked of [
      '{"params":{"tools":[{"name":"a","input_schema":{"type":"object","properties":{"model":"|"}}}]}}',
      '{"params":{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"b","input":{"model":"|"}}]}]}}',
      '{"params":{"messages":[{"role":"user","content":"model: |"}]}}',
    ]) {
      assert.ok(!labelsAt(marked, { models: [{ id: 'house-1' }] }).includes('house-1'), marked);
    }
  });

  it('finds the position in a document of several lines', () => {
    const text = '{\n  "custom_id": "a",\n  "params": {\n    "model": ""\n  }\n}\n';
    const column = text.indexOf('""') + 1;
    const { start, end, offers } = findOffers(requestSchema, text, column, { models: [{ id: 'house-1' }] });
    assert.deepEqual([text.slice(start, end), offers[0]?.insert], ['""', '"house-1"']);
  });

  it('marks a deprecated model even if the service lists it', () => {
    const { offers } = offersAt('{"params": {"model": "|"}}', { models: [{ id: 'vendor-mythos-preview', displayName: 'Mythos' }] });
    assert.equal(offers.find(({ label }) => label === 'vendor-mythos-preview')?.isDeprecated, true);
    assert.equal(offers.filter(({ label }) => label === 'vendor-mythos-preview').length, 1);
  });

  it('offers only strings inside quotation marks, also without a comma', () => {
    assert.deepEqual(labelsAt('{"params": {"speed": "|"}}'), ['standard', 'fast']);
    assert.deepEqual(labelsAt('{"params": {"speed": |}}'), ['standard', 'fast', 'null']);
  });

  it("escapes the service's text in snippets", () => {
    const id = 'a\u0024{1:b}"';
    assert.equal(chosen('{"params": {"model": "|"}}', id, { models: [{ id }] }), `{"params": {"model": ${JSON.stringify(id)}}}`);
  });

  it('offers strings with a quotation mark if one was typed', () => {
    assert.ok(offersAt('{"params": {"messages": [{"role": "u|"}]}}').offers.every(({ filter }) => filter.startsWith('"')));
    assert.ok(offersAt('{"params": {mo|}}').offers.every(({ filter }) => !filter.startsWith('"')));
  });

  it('reports when nothing was started and a value precedes', () => {
    assert.equal(offersAt('{"params": {"model": "m"|}}').isRemote, true);
    assert.equal(offersAt('{"params": {"model": "m",|}}').isRemote, false);
    assert.equal(offersAt('{"params": {"model": "m" "x|"}}').isRemote, false);
  });
});
