import * as z from 'zod';
import { batchRequestSchema } from '../../src/contract/batchRequest';
import { isWhole, knownVariant, type LengthParams } from '../../src/contract/messageParamsShapes';
import { contractModels, endingModel } from '../../src/jsonl/rules/modelNames';
import { type FieldGuide, fieldGuide, valueGuide } from './messageParamsGuide';

/** Part of a JSON Schema (draft 7), with the extensions of VS Code's JSON service. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

type Schema = z.core.$ZodType;
type Shape = Readonly<Record<string, Schema>>;

/** Schema of a string with a placeholder for a column. */
const columnPlace = { type: 'string', pattern: '\\{\\{.+\\}\\}' };
const place = { $ref: '#/definitions/place' };

/** Schema of a template, which is a whole request or bare message params. */
const wholeOrBare = {
  type: 'object',
  properties: { custom_id: { markdownDescription: fieldGuide.get('request.custom_id') }, params: {} },
  if: { anyOf: [{ required: ['params'] }, { required: ['custom_id'] }] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { $ref: '#/definitions/request' },
  else: { $ref: '#/definitions/params' },
};

/** Returns the schema files of requests by path, as `npm run schemas` writes them. */
export function requestSchemaFiles(): ReadonlyMap<string, string> {
  const request = new SchemaWriter().write('Request', 'One request of a message batch: its own id and the message to create.');
  const template = new SchemaWriter(true).write(
    'Request template',
    'A request in which any value may be a text with places for columns of rows, such as {{question}}. A row makes a request.',
  );
  return new Map([
    ['media/schemas/request.schema.json', `${JSON.stringify(request)}\n`],
    ['media/schemas/template.schema.json', `${JSON.stringify(template)}\n`],
  ]);
}

/**
 * Writes the zod schemas of a request as a JSON Schema, with the texts of the guides. Every object becomes a definition. A union of objects
 * with a `type` becomes `if`/`then`, so that an editor can select the variant by its `type`.
 */
export class SchemaWriter {
  private readonly definitions = new Map<string, JsonSchema>();
  private readonly names = new Map<string, string>();
  /** Keys of the guides that the schemas have used. */
  readonly used = new Set<string>();

  constructor(private readonly isTemplate = false) {}

  /** Returns the schema of a whole document. */
  write(title: string, description: string): JsonSchema {
    const root = this.value(batchRequestSchema, 'request');
    if (this.isTemplate) {
      this.relax('request', ['params']);
      this.relax('params', []);
      this.definitions.set('place', columnPlace);
    }
    this.hoistFields();
    const needed = new Set<string>();
    const top = this.isTemplate ? wholeOrBare : root;
    this.follow(top, needed);
    return {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title,
      description,
      ...top,
      definitions: Object.fromEntries([...this.definitions].filter(([name]) => needed.has(name))),
    };
  }

  /** Collects the definitions that a schema refers to. */
  private follow(schema: JsonSchema, needed: Set<string>): void {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (!needed.has(name)) {
        needed.add(name);
        this.follow(this.definitions.get(name) ?? {}, needed);
      }
    }
  }

  /** Relaxes the outermost object of a template. Ids become optional, and an editor's `$schema` is allowed. */
  private relax(name: string, required: readonly string[]): void {
    const { properties, required: all, ...rest } = this.definitions.get(name) ?? {};
    const wanted = required.length > 0 ? required : all;
    this.definitions.set(name, { ...rest, required: wanted, properties: { $schema: { type: 'string' }, ...(properties as object) } });
  }

  /** Moves fields that several objects share into one definition. */
  private hoistFields(): void {
    const uses = new Map<string, number>();
    const objects = [...this.definitions.values()].flatMap(({ properties }) => (isMap(properties) ? [properties] : []));
    for (const field of objects.flatMap(properties => Object.values(properties))) {
      const key = JSON.stringify(field);
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
    for (const properties of objects) {
      for (const [name, field] of Object.entries(properties)) {
        const key = JSON.stringify(field);
        if (key.length > 60 && (uses.get(key) ?? 0) > 1) {
          properties[name] = this.define(`${name}_field`, field as JsonSchema);
        }
      }
    }
  }

  private value(schema: Schema, owner: string, field = ''): JsonSchema {
    const written = this.plain(schema, owner, field);
    // A text without a restricted format already accepts a placeholder.
    const takesAnyText = written.type === 'string' && Object.keys(written).length === 1;
    const isAnything = Object.keys(written).length === 0;
    const isWhole = owner === 'request' && field === '';
    return this.isTemplate && !takesAnyText && !isAnything && !isWhole ? withAlternative(written, place) : written;
  }

  private plain(schema: Schema, owner: string, field: string): JsonSchema {
    if (this.isTemplate && isAnswerPart(owner, field)) {
      return {};
    }
    if (schema instanceof z.ZodOptional) {
      return this.plain(schema._zod.def.innerType, owner, field);
    }
    if (schema instanceof z.ZodNullable) {
      return orNull(this.plain(schema._zod.def.innerType, owner, field));
    }
    if (schema instanceof z.ZodString) {
      return writeString(schema);
    }
    if (schema instanceof z.ZodNumber) {
      return writeNumber(schema);
    }
    if (schema instanceof z.ZodBoolean) {
      return { type: 'boolean' };
    }
    if (schema instanceof z.ZodEnum) {
      return this.choice(Object.values(schema._zod.def.entries), owner, field);
    }
    if (schema instanceof z.ZodLiteral) {
      return this.choice(schema._zod.def.values.map(String), owner, field);
    }
    if (schema instanceof z.ZodArray) {
      const items = this.value(schema._zod.def.element, owner, field);
      return { type: 'array', ...arrayBounds(schema), ...(Object.keys(items).length === 0 ? {} : { items }) };
    }
    if (schema instanceof z.ZodRecord) {
      const members = this.value(schema._zod.def.valueType as Schema, owner, field);
      return { type: 'object', ...(Object.keys(members).length === 0 ? {} : { additionalProperties: members }) };
    }
    if (schema instanceof z.ZodObject) {
      return this.define(nameOf(owner, field), this.object(schema._zod.def.shape, isStrict(schema), field || owner));
    }
    if (schema instanceof z.ZodUnion) {
      return this.union(schema, owner, field);
    }
    if (schema instanceof z.ZodUnknown) {
      return {};
    }
    throw new Error(`${owner}.${field}: ${schema._zod.def.type} cannot be written yet`);
  }

  private union(schema: z.ZodUnion, owner: string, field: string): JsonSchema {
    const options = schema._zod.def.options;
    if (schema instanceof z.ZodDiscriminatedUnion) {
      return this.variants(options, owner, field, false);
    }
    const [first, second] = options;
    if (options.length === 2 && first instanceof z.ZodDiscriminatedUnion && second !== undefined && isAnyVariant(second)) {
      return this.variants(first._zod.def.options, owner, field, true);
    }
    return { anyOf: options.map(option => this.plain(option, owner, field)) };
  }

  /** Returns the schema of a union of objects with a `type`. An open union accepts other types with any fields. */
  private variants(options: readonly Schema[], owner: string, field: string, isOpen: boolean): JsonSchema {
    const types: string[] = [];
    const cases: JsonSchema[] = [];
    const snippets: JsonSchema[] = [];
    let isTypeRequired = true;
    for (const option of options) {
      const { shape } = (option as z.ZodObject)._zod.def;
      const type = shape.type as Schema;
      const own = [...(option._zod.propValues?.type ?? [])].filter(value => typeof value === 'string');
      const isDefault = type instanceof z.ZodOptional;
      isTypeRequired &&= !isDefault;
      const [label = ''] = own.slice(-1);
      if (this.isTemplate && isOpen && isAnswerVariant(label)) {
        continue;
      }
      types.push(...own);
      const then = this.define(label, this.object(shape as Shape, isStrict(option), label, field || owner));
      const condition = isDefault
        ? { properties: { type: { enum: [...own, null] } } }
        : { required: ['type'], properties: { type: own.length === 1 ? { const: own[0] } : { enum: own } } };
      cases.push({ if: condition, then });
      const offered = isAnswerVariant(label) || isAnswerPart(owner, field) ? [] : own;
      snippets.push(...offered.map(value => ({ label: value, body: this.skeleton(shape as Shape, value, label, field || owner) })));
    }
    const known = this.choice(types, field || owner, 'type');
    const type = isOpen ? { anyOf: [known, { type: 'string' }] } : known;
    const description = this.wordsOf(field || owner, 'type')?.words;
    return this.define(nameOf(owner, field), {
      type: 'object',
      ...(isTypeRequired ? { required: ['type'] } : {}),
      properties: {
        type: {
          ...(description === undefined || description === '' ? {} : { markdownDescription: description }),
          ...(this.isTemplate ? withAlternative(type, place) : type),
        },
      },
      allOf: cases,
      ...(snippets.length > 0 ? { defaultSnippets: snippets } : {}),
    });
  }

  private object(shape: Shape, strict: boolean, owner: string, union?: string): JsonSchema {
    const required = Object.keys(shape).filter(key => !(shape[key] instanceof z.ZodOptional));
    const optional = Object.keys(shape).filter(key => !required.includes(key));
    const properties: Record<string, JsonSchema> = {};
    for (const key of [...required, ...optional]) {
      properties[key] =
        union !== undefined && key === 'type' ? typeOf(shape.type as Schema) : this.field(shape[key] as Schema, owner, key, union);
    }
    return {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties,
      ...(strict ? { additionalProperties: false } : {}),
    };
  }

  private field(schema: Schema, owner: string, field: string, union?: string): JsonSchema {
    const guide = this.wordsOf(owner, field, union);
    const written = field === 'model' ? this.model() : this.value(schema, owner, field);
    const items = (written.anyOf as JsonSchema[] | undefined)?.find(branch => isMap(branch.items)) ?? written;
    const takesItems = isMap(items.items);
    if (takesItems && guide?.snippets !== undefined) {
      items.items = { ...(items.items as JsonSchema), defaultSnippets: guide.snippets };
    }
    return {
      ...(guide === undefined || guide.words === '' ? {} : { markdownDescription: guide.words }),
      ...written,
      ...(guide?.default === undefined ? {} : { default: guide.default }),
      ...(guide?.examples === undefined ? {} : { examples: guide.examples }),
      ...(guide?.deprecated === undefined ? {} : { deprecationMessage: guide.deprecated }),
      ...(guide?.snippets === undefined || takesItems ? {} : { defaultSnippets: guide.snippets }),
    };
  }

  private model(): JsonSchema {
    const { name: ending, lastDay, successor } = endingModel;
    const words = contractModels.map(name => (name === ending ? `Deprecated: support ends on ${lastDay}. Use \`${successor}\`.` : ''));
    return { anyOf: [{ enum: contractModels, markdownEnumDescriptions: words }, { type: 'string' }] };
  }

  private choice(values: readonly (string | number)[], owner: string, field: string): JsonSchema {
    const words = values.map(value => this.wordsOfValue(owner, field, String(value)));
    return { enum: values, ...(words.some(text => text !== '') ? { markdownEnumDescriptions: words } : {}) };
  }

  private wordsOf(owner: string, field: string, union = owner): FieldGuide | undefined {
    const key = [`${owner}.${field}`, `${union}.${field}`, field].find(name => fieldGuide.has(name));
    const found = key === undefined ? undefined : fieldGuide.get(key);
    if (key === undefined || found === undefined) {
      return undefined;
    }
    this.used.add(key);
    return typeof found === 'string' ? { words: found } : found;
  }

  private wordsOfValue(owner: string, field: string, value: string): string {
    const key = [`${owner}.${field}=${value}`, `${field}=${value}`].find(name => valueGuide.has(name));
    if (key === undefined) {
      return '';
    }
    this.used.add(key);
    return valueGuide.get(key) ?? '';
  }

  /** Returns a VS Code snippet of an object with its required fields. In a snippet, `^` precedes values that aren't strings. */
  private skeleton(shape: Shape, type: string, owner: string, union: string): JsonSchema {
    const body: JsonSchema = {};
    let stop = 0;
    for (const [key, schema] of Object.entries(shape)) {
      if (key === 'type') {
        body.type = type;
      } else if (!(schema instanceof z.ZodOptional)) {
        const sample = this.wordsOf(owner, key, union)?.sample;
        const fixed = schema instanceof z.ZodLiteral ? schema._zod.def.values[0] : undefined;
        body[key] = sample ?? fixed ?? this.blank(schema, owner, key, ++stop);
      }
    }
    return body;
  }

  private blank(schema: Schema, owner: string, key: string, stop: number): unknown {
    const {
      type,
      minimum,
      anyOf,
      enum: values,
    } = this.plain(schema, owner, key) as { type?: string | string[]; minimum?: number; anyOf?: JsonSchema[]; enum?: string[] };
    const kind = Array.isArray(type) ? type[0] : (type ?? anyOf?.[0]?.type);
    if (kind === 'integer' || kind === 'number') {
      return `^\${${stop}:${minimum ?? 0}}`;
    }
    if (kind === 'boolean') {
      return `^\${${stop}:false}`;
    }
    if (kind === 'array') {
      return `^[$${stop}]`;
    }
    if (kind === 'string') {
      return `\${${stop}:${key}}`;
    }
    return values === undefined ? `^{$${stop}}` : `\${${stop}:${values[0] ?? ''}}`;
  }

  /** Adds an object to the definitions unless it exists already. */
  private define(wanted: string, schema: JsonSchema): JsonSchema {
    const key = JSON.stringify(schema);
    const known = this.names.get(key);
    if (known !== undefined) {
      return { $ref: `#/definitions/${known}` };
    }
    let name = wanted;
    for (let number = 2; this.definitions.has(name); number++) {
      name = `${wanted}_${number}`;
    }
    this.definitions.set(name, schema);
    this.names.set(key, name);
    return { $ref: `#/definitions/${name}` };
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether blocks of this type only repeat parts of an earlier answer, so that nobody writes them by hand. */
function isAnswerVariant(type: string): boolean {
  return (
    /_result(?:_error)?$|_output$|^server_tool_use$|thinking$|^mcp_tool_use$|^fallback$|^compaction$/.test(type) &&
    !/^(?:tool|search)_result$/.test(type)
  );
}

/** Returns whether a field only occurs in parts of an answer. */
function isAnswerPart(owner: string, field: string): boolean {
  return field === 'caller' || (field === 'citations' && owner !== 'document') || (field === 'content' && /\w_tool_result$/.test(owner));
}

/** Returns the `type` of one variant. The values are described in the list of all variants. */
function typeOf(schema: Schema): JsonSchema {
  const values = [...(schema instanceof z.ZodOptional ? [null] : []), ...(schema._zod.values ?? [])].filter(value => value !== undefined);
  return { enum: [...new Set(values)] };
}

function nameOf(owner: string, field: string): string {
  return field === '' ? owner : field;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type === 'string' && values === undefined && schema.const === undefined) {
    return { ...schema, type: [type, 'null'] };
  }
  return withAlternative(schema, { type: 'null' });
}

function withAlternative(schema: JsonSchema, other: JsonSchema): JsonSchema {
  const keys = Object.keys(schema);
  const branches = keys.length === 1 && Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  return { anyOf: [...branches, other] };
}

function writeString(schema: z.ZodString): JsonSchema {
  const written: JsonSchema = { type: 'string' };
  for (const { _zod } of schema._zod.def.checks ?? []) {
    const check = _zod.def as { check: string; pattern?: RegExp; minimum?: number; maximum?: number; params?: LengthParams };
    const { minimum, maximum } = check.params?.limit === 'characters' ? check.params : check;
    if (check.pattern !== undefined) {
      written.pattern = check.pattern.source;
    }
    if (minimum !== undefined && minimum > 0) {
      written.minLength = minimum;
    }
    if (maximum !== undefined) {
      written.maxLength = maximum;
    }
  }
  return written;
}

function writeNumber(schema: z.ZodNumber): JsonSchema {
  const checks = [...(schema._zod.def.checks ?? [])];
  const written: JsonSchema = { type: isWhole(schema._zod.def) ? 'integer' : 'number' };
  for (const { _zod } of checks) {
    const check = _zod.def as { check: string; value?: number };
    if (check.check === 'greater_than') {
      written.minimum = check.value;
    }
    if (check.check === 'less_than') {
      written.maximum = check.value;
    }
  }
  return written;
}

function arrayBounds(schema: z.ZodArray): JsonSchema {
  const written: JsonSchema = {};
  for (const { _zod } of schema._zod.def.checks ?? []) {
    const check = _zod.def as { minimum?: number; maximum?: number };
    if (check.minimum !== undefined) {
      written.minItems = check.minimum;
    }
    if (check.maximum !== undefined) {
      written.maxItems = check.maximum;
    }
  }
  return written;
}

function isStrict(schema: Schema): boolean {
  return schema instanceof z.ZodObject && schema._zod.def.catchall instanceof z.ZodNever;
}

/** Returns whether this is the branch of an open union that accepts unknown types. */
function isAnyVariant(schema: Schema): boolean {
  const type = schema instanceof z.ZodObject ? (schema._zod.def.shape.type as Schema) : undefined;
  return (
    type instanceof z.ZodString &&
    (type._zod.def.checks ?? []).some(
      ({ _zod }) => (_zod.def as { params?: { variant?: string } }).params?.variant === knownVariant.variant,
    )
  );
}
