import { messageParamsSchema } from '../../contract/messageParams';
import { hasFixedSampling } from '../rules/modelNames';
import { rejectedFields } from '../rules/modelRules';
import { convertChat } from './chatMessages';
import { type ConversionNotes, NotConvertible } from './conversionNotes';
import type { ConvertOptions } from './convertingJobs';
import type { RawJson } from './rawJson';

const ownFields: ReadonlySet<string> = new Set(Object.keys(messageParamsSchema.shape));

/** Fields of other services, each with the value that is the default here. A field with that value can be dropped. */
const neutral: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['n', 1],
  ['stream', false],
  ['logprobs', false],
  ['store', false],
  ['presence_penalty', 0],
  ['frequency_penalty', 0],
]);

const efforts: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'xhigh', 'max']);

/**
 * Converts a chat of another service to message params: a JSON object on one line. Converted values keep their notation. Losses are noted
 * under the path `at` of the chat in its item. Throws a `NotConvertible` if no params can be built.
 */
export function convertParams(body: RawJson, at: string, options: ConvertOptions, notes: ConversionNotes): string {
  const messages = body.get('messages');
  if (messages?.isArray !== true) {
    throw new NotConvertible('The messages are missing.');
  }
  const chat = convertChat(messages, notes);
  const fields: [name: string, json: string][] = [
    ['model', modelOf(body, options)],
    ['max_tokens', maxTokensOf(body, options)],
  ];
  const own = body.given('system');
  if (chat.system !== undefined) {
    fields.push(['system', chat.system]);
  } else if (own !== undefined) {
    fields.push(['system', own.json]);
  }
  fields.push(['messages', chat.messages]);
  const model = JSON.parse(modelOf(body, options)) as unknown;
  const rejected = typeof model === 'string' && hasFixedSampling(model, options) ? new Set<string>(samplingOf(body)) : nothing;
  const combined: CombinedFields = {};
  const note = (key: string, template: string, ...args: readonly (string | number)[]) => notes.add(`${at}${key}`, template, ...args);
  for (const key of body.keys()) {
    const field = body.given(key);
    if (field !== undefined && rejected.has(key)) {
      note(key, 'Not supported, left out.');
    } else if (field !== undefined) {
      const carried = carry(key, field, combined, note);
      if (carried !== undefined && !fields.some(([name]) => name === carried[0])) {
        fields.push(carried);
      } else if (carried !== undefined) {
        note(key, 'Not supported, left out.');
      }
    }
  }
  if (body.given('max_completion_tokens') !== undefined && body.given('max_tokens') !== undefined) {
    note('max_tokens', 'Not supported, left out.');
  }
  fields.push(...combineFields(body, combined, fields, note));
  return `{${fields.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
}

/** Returns the sampling parameters of a chat that the conversion would keep but models with fixed sampling reject. */
export function samplingOf(body: RawJson): readonly string[] {
  const value = (key: string) => body.given(key)?.value;
  const temperature = value('temperature');
  const isLeftOut = typeof temperature === 'number' && (temperature > 1 || temperature < 0);
  return rejectedFields({ temperature: isLeftOut ? undefined : temperature, top_k: value('top_k'), top_p: value('top_p') });
}

const nothing: ReadonlySet<string> = new Set();

/** Converts one field: returns a field, adds to `combined`, or adds a note. */
function carry(key: string, field: RawJson, combined: CombinedFields, note: Note): [name: string, json: string] | undefined {
  switch (key) {
    case 'model':
    case 'messages':
    case 'system':
    case 'max_tokens':
    case 'max_completion_tokens':
    case 'parallel_tool_calls':
    case 'custom_id':
      return undefined;
    case 'temperature':
      if (typeof field.value === 'number' && (field.value > 1 || field.value < 0)) {
        note(key, 'Above 1, left out.');
        return undefined;
      }
      return [key, field.json];
    case 'stop':
      return ['stop_sequences', field.isArray ? field.json : `[${field.json}]`];
    case 'tools':
    case 'functions':
      return toTools(field, key, note);
    case 'tool_choice':
    case 'function_call':
      combined.choice = toChoice(key, field, note);
      return undefined;
    case 'response_format':
      combined.format = toFormat(field, note);
      return undefined;
    case 'user':
    case 'safety_identifier':
      combined.userId ??= field.json;
      return undefined;
    case 'metadata':
      if (field.get('user_id')?.string === undefined) {
        note(key, 'Not supported, left out.');
      } else {
        combined.userId = field.get('user_id')?.json;
      }
      return undefined;
    case 'reasoning_effort':
      if (efforts.has(field.value)) {
        combined.effort = field.json;
      } else {
        note(key, 'Not supported, left out.');
      }
      return undefined;
    case 'service_tier':
      return toTier(field, note);
    default:
      return carryOther(key, field, note);
  }
}

function carryOther(key: string, field: RawJson, note: Note): [name: string, json: string] | undefined {
  if (neutral.has(key) && neutral.get(key) === field.value) {
    return undefined;
  }
  if (key === 'stream') {
    note(key, 'Not supported, left out.');
    return undefined;
  }
  if (ownFields.has(key)) {
    return [key, field.json];
  }
  note(key, 'Not supported, left out.');
  return undefined;
}

function modelOf(body: RawJson, { models, model: fallback }: ConvertOptions): string {
  const given = body.given('model');
  if (given === undefined) {
    if (fallback === undefined) {
      throw new NotConvertible('The model is missing.');
    }
    return JSON.stringify(fallback);
  }
  const mapped = models.find(([from]) => from === given.string)?.[1];
  return mapped === undefined ? given.json : JSON.stringify(mapped);
}

function maxTokensOf(body: RawJson, { maxTokens }: ConvertOptions): string {
  const given = body.given('max_completion_tokens') ?? body.given('max_tokens');
  if (given === undefined && maxTokens === undefined) {
    throw new NotConvertible('max_tokens is missing.');
  }
  return given === undefined ? String(maxTokens) : given.json;
}

function toTools(field: RawJson, key: string, note: Note): [name: string, json: string] | undefined {
  const tools = field.items().flatMap(tool => {
    const type = tool.get('type')?.string;
    const described = key === 'functions' ? tool : tool.get('function');
    if (type !== 'function' && key === 'tools') {
      if (type === undefined || type === 'custom' ? tool.get('input_schema') !== undefined : /_\d{8}$/.test(type)) {
        return [tool.json];
      }
      note('tools[]', 'Not supported, left out.');
      return [];
    }
    const name = described?.get('name');
    if (described === undefined || name === undefined) {
      throw new NotConvertible('A tool has no name.');
    }
    const parts = [`"name":${name.json}`];
    const description = described.given('description');
    if (description !== undefined) {
      parts.push(`"description":${description.json}`);
    }
    parts.push(`"input_schema":${toInputSchema(described.given('parameters'))}`);
    const strict = described.given('strict');
    if (strict !== undefined) {
      parts.push(`"strict":${strict.json}`);
    }
    return [`{${parts.join(',')}}`];
  });
  return tools.length === 0 ? undefined : ['tools', `[${tools.join(',')}]`];
}

/** Returns the input schema of a tool. This service requires the type `object`. */
function toInputSchema(parameters: RawJson | undefined): string {
  if (parameters === undefined || (parameters.isObject && parameters.keys().length === 0)) {
    return '{"type":"object","properties":{}}';
  }
  if (parameters.isObject && parameters.get('type') === undefined) {
    return `{"type":"object",${parameters.json.slice(1).trimStart()}`;
  }
  return parameters.json;
}

function toChoice(key: string, field: RawJson, note: Note): string | undefined {
  const choice = field.string ?? field.get('type')?.string;
  const name = field.get('function')?.get('name') ?? field.get('name');
  switch (choice) {
    case 'auto':
    case 'none':
    case 'any':
      return field.isObject ? field.json : `{"type":"${choice}"}`;
    case 'required':
      return '{"type":"any"}';
    case 'tool':
      return field.json;
    case 'function':
    case undefined:
      if (name?.string !== undefined) {
        return `{"type":"tool","name":${name.json}}`;
      }
      break;
  }
  note(key, 'Not supported, left out.');
  return undefined;
}

function toFormat(field: RawJson, note: Note): string | undefined {
  const type = field.get('type')?.string;
  const schema = field.get('json_schema')?.get('schema') ?? field.get('schema');
  if (type === 'json_schema' && schema?.isObject === true) {
    noteSchemaFields(field, note);
    return `{"type":"json_schema","schema":${schema.json}}`;
  }
  if (type !== 'text') {
    note('response_format', 'Not supported, left out. Ask for the format in the prompt.');
  }
  return undefined;
}

/** Notes the fields next to a schema that have no effect here: answers have no name, and always follow the schema. */
function noteSchemaFields(format: RawJson, note: Note): void {
  const inner = format.get('json_schema');
  const described = inner?.get('schema') === undefined ? format : inner;
  const at = described === inner ? 'response_format.json_schema.' : 'response_format.';
  for (const key of described.keys()) {
    const value = described.given(key)?.value;
    const isOther = !['strict', 'schema', 'type', 'json_schema'].includes(key);
    if ((key === 'strict' && value === false) || (value !== undefined && isOther)) {
      note(`${at}${key}`, 'Not supported, left out.');
    }
  }
}

function toTier(field: RawJson, note: Note): [name: string, json: string] | undefined {
  switch (field.value) {
    case 'auto':
    case 'standard_only':
      return ['service_tier', field.json];
    case 'default':
      return ['service_tier', '"standard_only"'];
    default:
      note('service_tier', 'Not supported, left out.');
      return undefined;
  }
}

/** Records a loss or change under the path of a field. */
export type Note = (key: string, template: string, ...args: readonly (string | number)[]) => void;

interface CombinedFields {
  effort?: string;
  format?: string;
  userId?: string;
  choice?: string;
}

/** Returns the fields that combine several source fields. `fields` are the fields that already exist. */
function combineFields(body: RawJson, combined: CombinedFields, fields: readonly [string, string][], note: Note): [string, string][] {
  const { effort, format, userId, choice } = combined;
  const has = (name: string) => fields.some(([field]) => field === name);
  const added: [string, string][] = [];
  const parallel = body.given('parallel_tool_calls')?.value;
  const isSerial = parallel === false;
  if ((isSerial && !has('tools')) || (parallel !== undefined && typeof parallel !== 'boolean')) {
    note('parallel_tool_calls', 'Not supported, left out.');
  }
  if (has('tools') && (choice !== undefined || isSerial)) {
    const chosen = choice ?? '{"type":"auto"}';
    const canSay = isSerial && !chosen.includes('"none"') && !chosen.includes('disable_parallel_tool_use');
    added.push(['tool_choice', canSay ? `${chosen.slice(0, -1)},"disable_parallel_tool_use":true}` : chosen]);
  } else if (choice !== undefined && choice !== '{"type":"auto"}' && choice !== '{"type":"none"}') {
    note('tool_choice', 'Not supported, left out.');
  }
  if (effort !== undefined || format !== undefined) {
    if (has('output_config')) {
      note(effort === undefined ? 'response_format' : 'reasoning_effort', 'Not supported, left out.');
    } else {
      const parts = [effort === undefined ? [] : [`"effort":${effort}`], format === undefined ? [] : [`"format":${format}`]].flat();
      added.push(['output_config', `{${parts.join(',')}}`]);
    }
  }
  if (userId !== undefined) {
    added.push(['metadata', `{"user_id":${userId}}`]);
  }
  return added;
}
