import { type CursorPosition, findCursor, type Path } from './cursorPosition';
import { describeSchema } from './explain';
import { type LooseValue, memberOf, memberText, parseLoose, textOf } from './looseJson';
import type { RequestSchema, SchemaField, SchemaNode } from './schemaNode';

export interface SuggestedModel {
  readonly id: string;
  readonly displayName?: string | undefined;
}

/** Context of the editor in addition to the line. */
export interface OfferContext {
  /** Models that the service of the connection lists. `undefined` until known. */
  readonly models?: readonly SuggestedModel[] | undefined;
  readonly ids?: readonly string[] | undefined;
  /** True if nearby requests are bare message params. */
  readonly isBare?: boolean | undefined;
  /** Line whose spacing is used for a new one. */
  readonly like?: string | undefined;
  /** True if the text is one request over several lines. A comma before the insertion is then added directly after the preceding value. */
  readonly isPretty?: boolean | undefined;
}

export interface Offer {
  readonly kind: 'field' | 'value' | 'model' | 'snippet';
  readonly label: string;
  readonly detail: string;
  readonly words: string;
  /** Text to insert, in VS Code's snippet syntax. */
  readonly insert: string;
  /** Text that the typed text is matched against. */
  readonly filter: string;
  /** Sort order, lowest first, then by label. */
  readonly rank: number;
  readonly isDeprecated: boolean;
  /** True if completions should open again after the insertion. */
  readonly asksNext: boolean;
}

export interface Offers {
  /** Columns that each completion replaces. */
  readonly start: number;
  readonly end: number;
  /** True if nothing is typed yet and the cursor follows a value. Completions are then shown only on request. */
  readonly isRemote: boolean;
  /** Offset before `start` where a comma must be inserted too. Only set in pretty-printed texts. */
  readonly commaAt?: number | undefined;
  readonly offers: readonly Offer[];
}

const none: Offers = { start: 0, end: 0, isRemote: true, offers: [] };

/** Returns the completions at `column` of a line, which may be invalid. Each completion keeps valid JSON valid. */
export function findOffers(schema: RequestSchema, text: string, column: number, context: OfferContext = {}): Offers {
  const root = parseLoose(text);
  const cursor = findCursor(text, column, root);
  const { start, end, kind } = cursor;
  const list = new OfferList(schema, text, root, cursor, context);
  const found = kind === 'blank' ? list.requests() : kind === 'key' ? list.keys() : kind === 'value' ? list.values() : undefined;
  if (found === undefined) {
    return none;
  }
  const commaAt = context.isPretty === true && cursor.commaBefore ? text.slice(0, start).trimEnd().length : start;
  const isRemote = cursor.commaBefore && cursor.token === undefined;
  return { start, end, isRemote, ...(commaAt < start && { commaAt }), offers: found };
}

class OfferList {
  private readonly style: JsonStyle;

  constructor(
    private readonly schema: RequestSchema,
    private readonly text: string,
    private readonly root: LooseValue | undefined,
    private readonly cursor: CursorPosition,
    private readonly context: OfferContext,
  ) {
    this.style = styleOf(text, context.like ?? '');
  }

  /** Returns the completions for a whole new line. */
  requests(): readonly Offer[] {
    const { models, ids, isBare } = this.context;
    const model = escapeSnippet(models?.[0]?.id ?? this.schema.models[0] ?? '');
    const params = (first: number) => ({
      model: `\${${first}:${model}}`,
      max_tokens: `^\${${first + 1}:1024}`,
      messages: [{ role: 'user', content: `$${first + 2}` }],
    });
    const whole = { custom_id: `\${1:${escapeSnippet(ids?.[0] ?? 'request-1')}}`, params: params(2) };
    const tools = {
      ...whole,
      params: { ...params(2), tools: [{ name: `\${5:name}`, description: '$6', input_schema: { type: 'object', properties: '^{$7}' } }] },
    };
    return [
      this.snippet('request', whole, 'request', { rank: 1, detail: ids?.[0] ?? '' }),
      this.snippet('request with a tool', tools, 'request', { rank: 2, detail: ids?.[0] ?? '' }),
      this.snippet('message params', params(1), 'model', { rank: isBare ? 0 : 3 }),
    ];
  }

  keys(): readonly Offer[] {
    const { containers, path, member } = this.cursor;
    const object = containers.at(-1);
    const node = this.schema.at(this.text, this.root, path);
    if (node === undefined) {
      return [];
    }
    const taken = new Set(object?.members.filter(other => other !== member).map(({ key }) => textOf(this.text, key)));
    return this.schema
      .fields(this.text, node, object)
      .filter(({ name }) => !taken.has(name))
      .map(field => this.key(field, member !== undefined && member.colon >= 0));
  }

  private key({ name, schema, isRequired }: SchemaField, isRenamed: boolean): Offer {
    const resolved = this.schema.resolve(schema);
    const value = isRenamed ? { text: '', asksNext: false } : this.blankValue(resolved);
    const isReference = this.referencesAt([...this.cursor.path, name]).length > 0;
    const { deprecationMessage = '', markdownDescription = '' } = resolved;
    const key = JSON.stringify(name);
    return {
      ...this.plain('field', name, isRenamed ? key : `${key}${this.style.colon}${value.text}`, key),
      detail: `${describeSchema(this.schema, resolved)}${isRequired ? ', required' : ''}`,
      words: [markdownDescription, deprecationMessage].filter(words => words !== '').join('\n\n'),
      rank: rankOfField(this.cursor.path, name, isRequired, deprecationMessage !== ''),
      isDeprecated: deprecationMessage !== '',
      asksNext: value.asksNext || (isReference && !isRenamed),
    };
  }

  private blankValue(node: SchemaNode): { readonly text: string; readonly asksNext: boolean } {
    const [branch = {}] = this.schema.branches(node);
    const [snippet] = node.defaultSnippets ?? [];
    const hasChoices = this.schema.branches(node).some(({ enum: values }) => (values?.length ?? 0) > 0);
    const [kind] = [branch.type ?? []].flat();
    if (branch.enum?.length === 1) {
      return { text: escapeSnippet(JSON.stringify(branch.enum[0])), asksNext: false };
    }
    if (hasChoices || kind === 'string') {
      return { text: '"$1"', asksNext: hasChoices };
    }
    if (this.schema.hasVariants(node)) {
      return { text: `{"type"${this.style.colon}"$1"}`, asksNext: true };
    }
    if (snippet !== undefined && kind !== 'array') {
      return { text: toSnippet(snippet.body, this.style), asksNext: false };
    }
    switch (kind) {
      case 'integer':
      case 'number':
        return { text: `\${1:${String(node.examples?.[0] ?? node.default ?? branch.minimum ?? 1)}}`, asksNext: false };
      case 'boolean':
        return { text: `\${1|true,false|}`, asksNext: false };
      case 'array': {
        const item = branch.items === undefined ? undefined : this.schema.resolve(branch.items);
        const [first] = branch.items?.defaultSnippets ?? [];
        if (first !== undefined) {
          return { text: `[${toSnippet(first.body, this.style)}]`, asksNext: false };
        }
        return item?.type === 'string' ? { text: '["$1"]', asksNext: false } : { text: '[$1]', asksNext: true };
      }
      case 'object':
        return { text: '{$1}', asksNext: branch.properties !== undefined };
      default:
        return { text: '$1', asksNext: true };
    }
  }

  values(): readonly Offer[] {
    const { path, token } = this.cursor;
    const node = this.schema.at(this.text, this.root, path);
    if (node === undefined) {
      return [];
    }
    const isText = token?.kind === 'text';
    // Names and ids defined elsewhere in the request come first.
    const names = this.referencesAt(path);
    const references = names.map((name, rank) => this.literal('value', name, undefined, rank - names.length));
    const offers = [...references, ...this.literals(node, isText), ...(isText ? [] : this.structures(node))];
    // Different branches of the schema can allow the same value.
    return [...new Map(offers.toReversed().map(offer => [offer.insert, offer])).values()].reverse();
  }

  private referencesAt(path: Path): readonly string[] {
    return path.length === 1 && path[0] === 'custom_id' ? (this.context.ids ?? []) : referencesAt(this.text, this.root, path);
  }

  private literals(node: SchemaNode, isText: boolean): readonly Offer[] {
    const offers: Offer[] = [];
    const branches = this.schema.branches(node);
    const words = new Map<unknown, string>(
      branches.flatMap(({ enum: values = [], markdownEnumDescriptions = [] }) =>
        values.map((value, index) => [value, markdownEnumDescriptions[index] ?? ''] as const),
      ),
    );
    const isModel = this.cursor.path.at(-1) === 'model';
    for (const { id, displayName } of isModel ? (this.context.models ?? []) : []) {
      offers.push(this.literal('model', id, words.get(id) || displayName, offers.length - 1000));
      words.delete(id);
    }
    const kinds = new Set(branches.flatMap(({ type = [] }) => type));
    const values = new Set<unknown>([
      ...words.keys(),
      ...(node.default === undefined ? [] : [node.default]),
      ...(node.examples ?? []),
      ...(kinds.has('boolean') ? [true, false] : []),
      ...(kinds.has('null') ? [null] : []),
    ]);
    for (const value of values) {
      // Messages have no system role (contract, CreateMessageParams, `system`).
      const isSilent = value === 'system' && this.cursor.path.at(-1) === 'role';
      if ((!isText || typeof value === 'string') && !isSilent) {
        offers.push(this.literal(isModel ? 'model' : 'value', value, words.get(value), value === null ? 100 : offers.length));
      }
    }
    return offers;
  }

  private structures(node: SchemaNode): readonly Offer[] {
    const offers: Offer[] = [];
    const snippets = [node, ...this.schema.branches(node)].flatMap(({ defaultSnippets = [] }) => defaultSnippets);
    for (const [index, { label, body }] of snippets.entries()) {
      offers.push(this.snippet(label, body, label, { rank: 200 + index, words: this.variantWords(node, body) }));
    }
    for (const branch of this.schema.branches(node)) {
      const [kind] = [branch.type ?? []].flat();
      if (kind === 'string' && branch.enum === undefined) {
        offers.push(this.snippet('""', '$1', '"', { rank: 500 }));
      } else if (kind === 'array') {
        offers.push(this.snippet('[]', '^[$1]', '[', { rank: 501, asksNext: true }));
      } else if (kind === 'object' && snippets.length === 0) {
        offers.push(this.snippet('{}', '^{$1}', '{', { rank: 502, asksNext: true }));
      }
    }
    return offers;
  }

  private variantWords(node: SchemaNode, body: unknown): string {
    const type = (body as { readonly type?: unknown } | null)?.type;
    for (const branch of this.schema.branches(node)) {
      for (const { enum: values = [], markdownEnumDescriptions = [] } of this.schema.branches(branch.properties?.type ?? {})) {
        const index = values.indexOf(type as string);
        if (index >= 0) {
          return markdownEnumDescriptions[index] ?? '';
        }
      }
    }
    return '';
  }

  private literal(kind: 'value' | 'model', value: unknown, words = '', rank = 0): Offer {
    const json = JSON.stringify(value);
    const isDeprecated = words.startsWith('Deprecated');
    const isName = kind === 'model' && !isDeprecated;
    return {
      ...this.plain(kind, typeof value === 'string' ? value : json, escapeSnippet(json), json),
      detail: isName ? words : '',
      words: isName ? '' : words,
      rank: isDeprecated ? rank + 2000 : rank,
      isDeprecated,
    };
  }

  private snippet(label: string, body: unknown, filter: string, more: Partial<Offer>): Offer {
    return { ...this.plain('snippet', label, toSnippet(body, this.style), filter), ...more };
  }

  /** Returns a completion without description. `insert` is in VS Code's snippet syntax. */
  private plain(kind: Offer['kind'], label: string, insert: string, filter: string): Offer {
    const nothing = { detail: '', words: '', rank: 0, isDeprecated: false, asksNext: false };
    return { kind, label, ...nothing, insert: this.separated(insert), filter: this.filterOf(filter) };
  }

  /** Returns the filter text with or without quotes, depending on whether a quote was typed. */
  private filterOf(json: string): string {
    return this.cursor.token?.kind === 'text' ? (json.startsWith('"') ? json : `"${json}`) : json.replace(/^"|"$/g, '');
  }

  private separated(insert: string): string {
    const { commaBefore, commaAfter, start, end } = this.cursor;
    const isApart = this.context.isPretty === true && /\s/.test(this.text[start - 1] ?? ' ');
    const after = /\s/.test(this.text[end] ?? '') ? ',' : this.style.comma;
    return `${commaBefore && !isApart ? this.style.comma : ''}${insert}${commaAfter ? after : ''}`;
  }
}

const usualOrder: readonly string[] = ['custom_id', 'params', 'model', 'max_tokens', 'system', 'messages', 'tools'];

/**
 * Returns the rank of a field in the object at `path`, lowest first. Fields of a request have their usual order. In other objects, required
 * fields are first and deprecated fields last.
 */
function rankOfField(path: Path, name: string, isRequired: boolean, isDeprecated: boolean): number {
  const isOfRequest = path.length === 0 || (path.length === 1 && path[0] === 'params');
  const usual = isOfRequest ? usualOrder.indexOf(name) : -1;
  return usual >= 0 ? usual - usualOrder.length : isRequired ? 0 : isDeprecated ? 2 : 1;
}

/** Returns names and ids defined elsewhere in the request that the value at `path` can refer to. */
function referencesAt(source: string, root: LooseValue | undefined, path: Path): readonly string[] {
  const params = memberOf(source, root, 'params')?.value ?? root;
  const last = path.at(-1);
  const parent = path.at(-2);
  if (last === 'name' && parent === 'tool_choice') {
    return textsOf(source, memberOf(source, params, 'tools')?.value, 'name');
  }
  if (last === 'mcp_server_name' || last === 'server_name') {
    return textsOf(source, memberOf(source, params, 'mcp_servers')?.value, 'name');
  }
  if (last === 'tool_use_id') {
    return (memberOf(source, params, 'messages')?.value?.items ?? [])
      .flatMap(message => memberOf(source, message, 'content')?.value?.items ?? [])
      .filter(block => memberText(source, block, 'type')?.endsWith('tool_use'))
      .flatMap(block => memberText(source, block, 'id') ?? [])
      .reverse();
  }
  return [];
}

function textsOf(source: string, list: LooseValue | undefined, field: string): readonly string[] {
  return [...new Set((list?.items ?? []).flatMap(item => memberText(source, item, field) ?? []))];
}

/** Spacing of a line of JSON: `{"a": 1, "b": 2}` or `{"a":1,"b":2}`. */
interface JsonStyle {
  readonly colon: ':' | ': ';
  readonly comma: ',' | ', ';
}

/** Returns the spacing used after the first colon in `texts`. Defaults to spaces. */
function styleOf(...texts: readonly string[]): JsonStyle {
  const first = texts.map(text => /"\s*:(.)/.exec(text)?.[1]).find(character => character !== undefined);
  return first === undefined || first === ' ' ? { colon: ': ', comma: ', ' } : { colon: ':', comma: ',' };
}

/** Converts a value whose strings are snippets, such as `${1:name}`. Strings that start with `^` get no quotes. */
export function toSnippet(body: unknown, style: JsonStyle): string {
  if (typeof body === 'string') {
    return body.startsWith('^') ? body.slice(1) : `"${body}"`;
  }
  if (Array.isArray(body)) {
    return `[${body.map(item => toSnippet(item, style)).join(style.comma)}]`;
  }
  if (typeof body === 'object' && body !== null) {
    const members = Object.entries(body).map(
      ([key, value]) => `${escapeSnippet(JSON.stringify(key))}${style.colon}${toSnippet(value, style)}`,
    );
    // An unescaped closing brace has no effect outside a placeholder.
    return `{${members.join(style.comma)}}`;
  }
  return String(body);
}

function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
