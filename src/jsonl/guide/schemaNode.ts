import type { Path } from './cursorPosition';
import { type LooseValue, memberOf, memberText, textOf } from './looseJson';

/** Subset of JSON Schema used by the files in `media/schemas`. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly markdownDescription?: string;
  readonly deprecationMessage?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly { readonly if: SchemaNode; readonly then: SchemaNode }[];
  readonly enum?: readonly (string | number | null)[];
  readonly const?: string;
  readonly markdownEnumDescriptions?: readonly string[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly defaultSnippets?: readonly { readonly label: string; readonly body: unknown }[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
}

export interface SchemaField {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
}

/** Schema of requests with lookups by path. */
export class RequestSchema {
  constructor(private readonly whole: SchemaNode) {}

  /** Returns the schema of the outermost object: a whole request or bare message params. */
  root(source: string, root: LooseValue | undefined): SchemaNode {
    const { request, params } = this.whole.definitions ?? {};
    const names = new Set(root?.members.map(({ key }) => textOf(source, key)));
    const isBare = !names.has('custom_id') && !names.has('params') && [...names].some(name => params?.properties?.[name] !== undefined);
    return (isBare ? params : request) ?? {};
  }

  /** Returns the schema of the value at `path`, if known. `root` determines the variants. */
  at(source: string, root: LooseValue | undefined, path: Path): SchemaNode | undefined {
    let node: SchemaNode | undefined = this.root(source, root);
    let value: LooseValue | undefined = root;
    for (const step of path) {
      if (typeof step === 'number') {
        node = this.branches(node).find(({ items }) => items !== undefined)?.items;
        value = value?.items[step];
      } else {
        const container: LooseValue | undefined = value;
        const found: SchemaField | undefined = this.field(source, node, container, step);
        node = found?.schema;
        value = memberOf(source, container, step)?.value;
      }
      if (node === undefined) {
        return undefined;
      }
    }
    return this.resolve(node);
  }

  /** Resolves the reference of a schema. Properties next to the reference take precedence. */
  resolve(node: SchemaNode): SchemaNode {
    if (node.$ref === undefined) {
      return node;
    }
    const { $ref, ...own } = node;
    const target = this.whole.definitions?.[$ref.slice('#/definitions/'.length)];
    return target === undefined ? own : { ...this.resolve(target), ...own };
  }

  /** Returns the alternatives of a schema, including nested ones, as a flat list. */
  branches(node: SchemaNode): readonly SchemaNode[] {
    const resolved = this.resolve(node);
    return resolved.anyOf === undefined ? [resolved] : resolved.anyOf.flatMap(branch => this.branches(branch));
  }

  /** Returns the fields of an object. If `type` discriminates variants, uses the named variant. */
  fields(source: string, node: SchemaNode, object: LooseValue | undefined): readonly SchemaField[] {
    const branch = this.branches(node).find(({ properties }) => properties !== undefined);
    if (branch?.properties === undefined) {
      return [];
    }
    const variant = this.variant(source, branch, object);
    // The shared properties define the values of `type` and their descriptions, so they take precedence.
    const properties = { ...variant?.properties, ...branch.properties };
    const required = new Set([...(branch.required ?? []), ...(variant?.required ?? [])]);
    return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.has(name) }));
  }

  private field(source: string, node: SchemaNode, object: LooseValue | undefined, name: string): SchemaField | undefined {
    const found = this.fields(source, node, object).find(field => field.name === name);
    if (found !== undefined) {
      return found;
    }
    const members = this.branches(node).find(({ additionalProperties }) => typeof additionalProperties === 'object')?.additionalProperties;
    return typeof members === 'object' ? { name, schema: members, isRequired: false } : undefined;
  }

  private variant(source: string, branch: SchemaNode, object: LooseValue | undefined): SchemaNode | undefined {
    const type = memberText(source, object, 'type') ?? null;
    for (const { if: condition, then } of branch.allOf ?? []) {
      const { const: only, enum: several } = condition.properties?.type ?? {};
      if (type === only || several?.includes(type)) {
        return this.resolve(then);
      }
    }
    return undefined;
  }

  get models(): readonly string[] {
    const model = this.whole.definitions?.params?.properties?.model ?? {};
    return this.branches(model).flatMap(({ enum: names = [] }) => names.map(String));
  }

  /** Returns whether `type` discriminates variants of the object. */
  hasVariants(node: SchemaNode): boolean {
    return this.branches(node).some(({ allOf }) => allOf !== undefined);
  }
}
