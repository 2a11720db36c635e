import type { Path } from './cursorPlace';
import { type LooseValue, memberOf, memberText, textOf } from './looseJson';

/** What of JSON Schema the files in `media/schemas` are made of. */
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
  readonly defaultSnippets?: readonly SchemaSnippet[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
}

export interface SchemaSnippet {
  readonly label: string;
  readonly body: unknown;
}

/** One field that an object can have. */
export interface SchemaField {
  readonly name: string;
  readonly schema: SchemaNode;
  readonly isRequired: boolean;
}

/** The schema of requests, asked by where one stands in a line. */
export class RequestSchema {
  constructor(private readonly whole: SchemaNode) {}

  /** The schema of the outermost object: a whole request, or message params alone. */
  root(source: string, root: LooseValue | undefined): SchemaNode {
    const { request, params } = this.whole.definitions ?? {};
    const names = new Set(root?.members.map(({ key }) => textOf(source, key)));
    const isBare = !names.has('custom_id') && !names.has('params') && [...names].some(name => params?.properties?.[name] !== undefined);
    return (isBare ? params : request) ?? {};
  }

  /** The schema of the value that `path` leads to, as far as it is known; `root` tells which variants are meant. */
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

  /** A schema with what it refers to in place; what stands beside the reference counts. */
  resolve(node: SchemaNode): SchemaNode {
    if (node.$ref === undefined) {
      return node;
    }
    const { $ref, ...own } = node;
    const target = this.whole.definitions?.[$ref.slice('#/definitions/'.length)];
    return target === undefined ? own : { ...this.resolve(target), ...own };
  }

  /** The kinds of value that a schema allows, each without further choice. */
  branches(node: SchemaNode): readonly SchemaNode[] {
    const resolved = this.resolve(node);
    return resolved.anyOf === undefined ? [resolved] : resolved.anyOf.flatMap(branch => this.branches(branch));
  }

  /** The fields of an object; when it is one of several variants, those of the one that its `type` names. */
  fields(source: string, node: SchemaNode, object: LooseValue | undefined): readonly SchemaField[] {
    const branch = this.branches(node).find(({ properties }) => properties !== undefined);
    if (branch?.properties === undefined) {
      return [];
    }
    const variant = this.variant(source, branch, object);
    // What `type` can be, and means, stands where all variants do.
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

  /** The models that the contract names. */
  get models(): readonly string[] {
    const model = this.whole.definitions?.params?.properties?.model ?? {};
    return this.branches(model).flatMap(({ enum: names = [] }) => names.map(String));
  }

  /** Whether the object is one of variants that its `type` tells apart. */
  hasVariants(node: SchemaNode): boolean {
    return this.branches(node).some(({ allOf }) => allOf !== undefined);
  }
}
