// Writes request files for the benches: always the same for the same arguments, with lines in various notations.
import { closeSync, openSync, writeSync } from 'node:fs';

const words =
  'please read this contract and tell "who" pays what by which day, naïve façade 価格 of 12 € 😀 or\nwith\ttabs and C:\\paths'.split(' ');

function createRandom(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

/**
 * Creates one request of about `bytes` bytes. One in ten has fields and values that the others never have. Values of `kind`: `plain`.
 * `familiar`: no line has such fields. `unfamiliar`: each line has. `sampled`: each line has something that rules look at and accept.
 * `wrong`: each line has an error. `mixed`: each line has one of a dozen errors and warnings. `foreign`: each line has the format of
 * another service. `newer`: each line has a content block of an unknown type. `unlisted`: each line has a field that requests don't have.
 * `escaped`: each line has a field whose name is written with an escape.
 */
function createRequest(random, index, bytes, kind) {
  const text = length => {
    let result = '';
    while (result.length < length) {
      result += `${words[Math.floor(random() * words.length)]} `;
    }
    return result;
  };
  const params = { model: ['model-large', 'model-small', 'model-middle'][index % 3], max_tokens: 256 + (index % 8) * 128 };
  const isUnfamiliar = kind === 'unfamiliar' || (kind !== 'familiar' && kind !== 'escaped' && index % 10 === 7);
  if (bytes > 1000) {
    if (index % 4 === 0) {
      params.system = [{ type: 'text', text: text(bytes / 4), cache_control: { type: 'ephemeral' } }];
    }
    if (index % 5 === 0) {
      params.tools = [
        {
          name: 'get_weather',
          description: text(80),
          input_schema: {
            type: 'object',
            properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
            required: ['city'],
          },
        },
      ];
    }
    if (index % 3 === 0) {
      params.temperature = (index % 11) / 10;
    }
  }
  if (kind === 'sampled') {
    params.temperature = (index % 10) / 10;
    params.top_p = 0.9;
  }
  if (kind === 'wrong') {
    params.max_tokens = -1;
  }
  if (isUnfamiliar) {
    const name = `field_${Math.floor(random() * 1e9).toString(36)}`;
    params.metadata = { user_id: `user-${index}`, [name]: { [`${name}_inner`]: [index, null, 1.5e-3, { [`k${index}`]: true }] } };
    params.stop_sequences = [`\u0003${index}`];
  }
  const used = JSON.stringify(params).length + 70;
  const content = text(Math.max(20, bytes - used));
  params.messages = index % 2 === 0 ? [{ role: 'user', content }] : [{ role: 'user', content: [{ type: 'text', text: content }] }];
  if (kind === 'newer') {
    params.messages = [{ role: 'user', content: [{ type: `hologram_${index % 5}`, text: content, size: index }] }];
  }
  if (kind === 'unlisted') {
    params[`note_${index % 7}`] = { written: [index, null] };
  }
  if (kind === 'mixed') {
    faults[index % faults.length](params, index);
  }
  const custom_id = `request-${String(index).padStart(6, '0')}`;
  return kind === 'foreign' ? { custom_id, method: 'POST', url: '/v1/chat/completions', body: params } : { custom_id, params };
}

/** Frequent mistakes in requests. Each function makes one. */
const faults = [
  params => delete params.max_tokens,
  params => Object.assign(params, { temperature: 1.5 }),
  params => Object.assign(params, { max_tokens: '1024' }),
  params => Object.assign(params.messages[0], { role: 'developer' }),
  params => Object.assign(params.messages[0], { name: 'ann' }),
  params => params.messages.unshift({ role: 'system', content: 'Be brief.' }),
  params => Object.assign(params, { tool_choice: 'auto' }),
  params => Object.assign(params, { tools: [{ type: 'function', function: { name: 'find' } }] }),
  params => Object.assign(params, { response_format: { type: 'json_object' }, frequency_penalty: 0 }),
  params => Object.assign(params, { thinking: { type: 'enabled', budget_tokens: 100 } }),
  (params, index) => Object.assign(params, { metadata: { user_id: `user${index}@example.org` } }),
  (params, index) => Object.assign(params, { metadata: { user: `u${index}` } }),
];

/** Writes one line in eight in ASCII only, as some JSON libraries do. */
function toLine(request, index, kind) {
  const plain = JSON.stringify(request);
  const line = kind === 'escaped' ? plain.replace('"max_tokens"', '"max_\\u0074okens"') : plain;
  return index % 8 === 3 ? line.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : line;
}

/** Yields the lines of `count` requests of about `bytes` bytes each. */
export function* requestLines(count, bytes, kind = 'plain') {
  const random = createRandom(20261121);
  for (let index = 0; index < count; index++) {
    yield toLine(createRequest(random, index, bytes, kind), index, kind);
  }
}

/** Writes `count` requests to a file. */
export function writeRequestFile(file, count, bytes, kind) {
  const descriptor = openSync(file, 'w');
  let block = '';
  for (const line of requestLines(count, bytes, kind)) {
    block += `${line}\n`;
    if (block.length > 1 << 20) {
      writeSync(descriptor, block);
      block = '';
    }
  }
  writeSync(descriptor, block);
  closeSync(descriptor);
}
