import { messageParamsSchema } from '../../contract/messageParams';
import { hasFixedSampling } from '../rules/modelNames';
import { rejectedFields } from '../rules/modelRules';
import { convertChat } from './chatMessages';
import { type ConversionNotes, NotConvertible } from './conversionNotes';
import type { RawJson } from './rawJson';

export interface ConvertOptions {
  /** Model names of the other service with their replacements. Models that are not listed keep their names. */
  readonly models: readonly (readonly [from: string, to: string])[];
  /** Model for items without a model. `undefined` if such items can't be converted. */
  readonly model: string | undefined;
  /** `max_tokens` for items without `max_tokens`. `undefined` if such items can't be converted. */
  readonly maxTokens: number | undefined;
  /** Prefix of the connection's model ids. Default: the contract's `vendor-`. */
  readonly modelPrefix?: string;
  /** Existing ids that must not be generated, as found by the survey. */
  readonly takenIds: readonly string[];
}

const ownFields: ReadonlySet<string> = new Set(Object.keys(messageParamsSchema.shape));

/** Fields of other services with the value that is the default here. A field with that value can be dropped. */
const neutral: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['n', 1],
  ['stream', false],
  ['logprobs', false],
  ['store', false],
  ['presence_penalty', 0],
  ['frequency_penalty', 0],
]);

const tiers: ReadonlySet<unknown> = new Set(['auto', 'standard_only']);
const efforts: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'xhigh', 'max']);

/** Fields that are converted before all other fields, or together with another field. */
const handled: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'max_completion_tokens', 'parallel_tool_calls', 'custom_id'],
]);

/** Converts a chat of another service to message params: a JSON object on one line. Converted values keep their notation. */
export class ParamsConverter {
  /** JSON of each field of the params, in order. */
  private readonly fields = new Map<string, string>();
  // Source values that `combine` merges into fields.
  private effort: string | undefined;
  private format: string | undefined;
  private userId: string | undefined;
  private choice: string | undefined;

  constructor(
    private readonly body: RawJson,
    private readonly notes: ConversionNotes,
  ) {}

  /** Returns the params. Throws a `NotConvertible` if none can be built. */
  convert(options: ConvertOptions): string {
    const { body, fields } = this;
    const messages = body.get('messages');
    if (messages?.isArray !== true) {
      throw new NotConvertible('The messages are missing.');
    }
    const chat = convertChat(messages, this.notes);
    const model = modelOf(body, options);
    fields.set('model', model);
    fields.set('max_tokens', maxTokensOf(body, options));
    const system = chat.system ?? body.given('system')?.json;
    if (system !== undefined) {
      fields.set('system', system);
    }
    fields.set('messages', chat.messages);
    const name = JSON.parse(model) as unknown;
    const rejected = typeof name === 'string' && hasFixedSampling(name, options) ? samplingOf(body) : [];
    for (const key of body.keys().filter(key => !handled.has(key))) {
      const field = body.given(key);
      if (field !== undefined && rejected.includes(key)) {
        this.leaveOut(key);
      } else if (field !== undefined) {
        this.carry(key, field);
      }
    }
    if (body.given('max_completion_tokens') !== undefined && body.given('max_tokens') !== undefined) {
      this.leaveOut('max_tokens');
    }
    this.combine();
    return `{${[...fields].map(([key, json]) => `"${key}":${json}`).join(',')}}`;
  }

  /** Notes that a field has no counterpart. */
  private leaveOut(key: string, template = 'Not supported, left out.'): undefined {
    this.notes.add(key, template);
  }

  private set(key: string, name: string, json: string | undefined): undefined {
    if (json !== undefined && this.fields.has(name)) {
      this.leaveOut(key);
    } else if (json !== undefined) {
      this.fields.set(name, json);
    }
  }

  private carry(key: string, field: RawJson): undefined {
    switch (key) {
      case 'temperature':
        return isOutOfRange(field.value) ? this.leaveOut(key, 'Out of range (0 to 1), left out.') : this.set(key, key, field.json);
      case 'stop':
        return this.set(key, 'stop_sequences', field.isArray ? field.json : `[${field.json}]`);
      case 'tools':
      case 'functions':
        return this.set(key, 'tools', this.toTools(field, key));
      case 'tool_choice':
      case 'function_call':
        this.choice = this.toChoice(key, field);
        return;
      case 'response_format':
        this.format = this.toFormat(field);
        return;
      case 'user':
      case 'safety_identifier':
        this.userId ??= field.json;
        return;
      case 'metadata': {
        const user = field.get('user_id');
        this.userId = user?.string === undefined ? this.userId : user.json;
        return user?.string === undefined ? this.leaveOut(key) : undefined;
      }
      case 'reasoning_effort':
        this.effort = efforts.has(field.value) ? field.json : this.leaveOut(key);
        return;
      case 'service_tier':
        return this.set(key, key, field.value === 'default' ? '"standard_only"' : tiers.has(field.value) ? field.json : this.leaveOut(key));
      default:
        if (neutral.has(key) && neutral.get(key) === field.value) {
          return;
        }
        return key !== 'stream' && ownFields.has(key) ? this.set(key, key, field.json) : this.leaveOut(key);
    }
  }

  private toTools(field: RawJson, key: string): string | undefined {
    const tools = field.items().flatMap(tool => {
      const type = tool.get('type')?.string;
      if (type !== 'function' && key === 'tools') {
        const isOwn = type === undefined || type === 'custom' ? tool.get('input_schema') !== undefined : /_\d{8}$/.test(type);
        return isOwn ? [tool.json] : (this.leaveOut('tools[]') ?? []);
      }
      const described = key === 'functions' ? tool : tool.get('function');
      const name = described?.get('name');
      if (described === undefined || name === undefined) {
        throw new NotConvertible('A tool has no name.');
      }
      const description = described.given('description');
      const strict = described.given('strict');
      const parts = [
        `"name":${name.json}`,
        ...(description === undefined ? [] : [`"description":${description.json}`]),
        `"input_schema":${toInputSchema(described.given('parameters'))}`,
        ...(strict === undefined ? [] : [`"strict":${strict.json}`]),
      ];
      return [`{${parts.join(',')}}`];
    });
    return tools.length === 0 ? undefined : `[${tools.join(',')}]`;
  }

  private toChoice(key: string, field: RawJson): string | undefined {
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
    }
    const isNamed = (choice === 'function' || choice === undefined) && name?.string !== undefined;
    return isNamed ? `{"type":"tool","name":${name.json}}` : this.leaveOut(key);
  }

  private toFormat(field: RawJson): string | undefined {
    const type = field.get('type')?.string;
    const inner = field.get('json_schema');
    const schema = inner?.get('schema') ?? field.get('schema');
    if (type !== 'json_schema' || schema?.isObject !== true) {
      return type === 'text' ? undefined : this.leaveOut('response_format', 'Not supported, left out. Ask for the format in the prompt.');
    }
    // Only the schema has an effect here, because answers have no name and always follow the schema.
    const described = inner?.get('schema') === undefined ? field : inner;
    const at = described === inner ? 'response_format.json_schema.' : 'response_format.';
    for (const key of described.keys()) {
      const value = described.given(key)?.value;
      const isOther = !['strict', 'schema', 'type', 'json_schema'].includes(key);
      if ((key === 'strict' && value === false) || (value !== undefined && isOther)) {
        this.leaveOut(`${at}${key}`);
      }
    }
    return `{"type":"json_schema","schema":${schema.json}}`;
  }

  /** Sets the fields that combine several source fields. */
  private combine(): void {
    const { effort, format, choice, fields } = this;
    const parallel = this.body.given('parallel_tool_calls')?.value;
    const isSerial = parallel === false;
    if ((isSerial && !fields.has('tools')) || (parallel !== undefined && typeof parallel !== 'boolean')) {
      this.leaveOut('parallel_tool_calls');
    }
    if (fields.has('tools') && (choice !== undefined || isSerial)) {
      const chosen = choice ?? '{"type":"auto"}';
      const canSay = isSerial && !chosen.includes('"none"') && !chosen.includes('disable_parallel_tool_use');
      fields.set('tool_choice', canSay ? `${chosen.slice(0, -1)},"disable_parallel_tool_use":true}` : chosen);
    } else if (choice !== undefined && choice !== '{"type":"auto"}' && choice !== '{"type":"none"}') {
      this.leaveOut('tool_choice');
    }
    const config = [...(effort === undefined ? [] : [`"effort":${effort}`]), ...(format === undefined ? [] : [`"format":${format}`])];
    if (config.length > 0) {
      this.set(effort === undefined ? 'response_format' : 'reasoning_effort', 'output_config', `{${config.join(',')}}`);
    }
    if (this.userId !== undefined) {
      fields.set('metadata', `{"user_id":${this.userId}}`);
    }
  }
}

/** Returns the sampling parameters of a chat that the conversion keeps but models with fixed sampling reject. */
function samplingOf(body: RawJson): readonly string[] {
  const value = (key: string) => body.given(key)?.value;
  const temperature = isOutOfRange(value('temperature')) ? undefined : value('temperature');
  return rejectedFields({ temperature, top_k: value('top_k'), top_p: value('top_p') });
}

function isOutOfRange(temperature: unknown): boolean {
  return typeof temperature === 'number' && (temperature > 1 || temperature < 0);
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

/** Converts the parameters of a tool to its input schema. This service requires the type `object`. */
function toInputSchema(parameters: RawJson | undefined): string {
  if (parameters === undefined || (parameters.isObject && parameters.keys().length === 0)) {
    return '{"type":"object","properties":{}}';
  }
  if (parameters.isObject && parameters.get('type') === undefined) {
    return `{"type":"object",${parameters.json.slice(1).trimStart()}`;
  }
  return parameters.json;
}
