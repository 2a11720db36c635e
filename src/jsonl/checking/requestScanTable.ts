import type * as z from 'zod';
import { batchRequestSchema } from '../../contract/batchRequest';
import { maxSlips } from '../../contract/closeName';
import { messageParamsSchema } from '../../contract/messageParams';
import { isWhole, sidesOfOpenUnion, wholeNumber } from '../../contract/messageParamsShapes';
import { customToolSchema } from '../../contract/messageParamsTools';
import { newerParams } from '../../contract/newerParams';
import { isLoose } from '../rules/looseFields';
import { Allow, Capture, ObjectKind, TextKind, WatchKind } from '../wasm/requestLayout';
import { requestWatches } from './requestWatches';
import { emptyNode, hasKind, knownPatterns, ScanMemory, type ScannedNode } from './scanMemory';

type Schema = z.core.$ZodType;

/**
 * Compiles the schemas of a request line into tables. Values that they can't describe are left to the rules. Returns
 * the bytes to copy to `base`, and the addresses of the two root objects.
 */
export function createRequestScanTable(base: number) {
  const memory = new ScanMemory(base);
  const compiler = new Compiler(memory, requestWatches());
  const { shape } = batchRequestSchema._zod.def;
  const fieldsOfParams = messageParamsSchema._zod.def.shape;
  // Two kinds of fields are listed. `unsureNode` is for fields of a request (`custom_id`, `params`) inside params, which only the rules can
  // check. `refusedNode` is for fields of newer services, which are reported whatever their value.
  const unsureNode = memory.writeNode({ ...emptyNode(), flags: Allow.Unsure });
  const refusedNode = memory.writeNode(emptyNode());
  const kinds = [...Object.keys(shape).map(name => [name, unsureNode] as const), ...newerParams.map(name => [name, refusedNode] as const)];
  const params = compiler.strict(fieldsOfParams, new Map([['model', Capture.Model]]), new Map(kinds));
  const paramsNode = memory.writeNode({ ...emptyNode(), flags: Allow.Object, object: params });
  const request = compiler.strict(shape, new Map([['custom_id', Capture.Id]]), new Map([['params', paramsNode]]));
  return { bytes: memory.bytes(), request, params };
}

class Compiler {
  private readonly nodes = new Map<Schema, number>();
  private readonly objects = new Map<Schema, number>();

  constructor(
    private readonly memory: ScanMemory,
    private readonly watches: ReadonlyMap<Schema, WatchKind>,
  ) {}

  /** Adds an object that reports all other fields as errors. `ready` maps fields to nodes that are not compiled from their schemas. */
  strict(shape: z.core.$ZodLooseShape, captures: ReadonlyMap<string, number>, ready: ReadonlyMap<string, number>): number {
    return this.fields(new Map(Object.entries(shape)), this.anyNode(), ObjectKind.Strict, captures, ready);
  }

  /** Adds an object described by its fields and returns its address. `other` is the node of all unlisted fields, or 0. */
  private fields(
    listed: ReadonlyMap<string, Schema>,
    other: number,
    kind: number = ObjectKind.ByFields,
    captures: ReadonlyMap<string, number> = new Map(),
    ready: ReadonlyMap<string, number> = new Map(),
  ): number {
    const at = this.memory.reserveObject();
    let required = 0n;
    const entries: [string, number, number][] = [];
    for (const [bit, name] of [...new Set([...listed.keys(), ...ready.keys()])].entries()) {
      const schema = listed.get(name);
      if (schema !== undefined && schema._zod.optin !== 'optional') {
        required |= 1n << BigInt(bit);
      }
      const node = ready.get(name) ?? (schema === undefined ? 0 : this.node(schema, captures.get(name)));
      entries.push([name, node, bit]);
    }
    const table = this.memory.table(entries);
    const longest = Math.max(0, ...[...listed.keys()].map(name => name.length)) + maxSlips;
    this.memory.writeObject(at, { kind, table, required, other, longest });
    return at;
  }

  private node(schema: Schema, capturing: number = Capture.None): number {
    const known = this.nodes.get(schema);
    if (known !== undefined && capturing === Capture.None) {
      return known;
    }
    const node = emptyNode();
    this.gather(schema as z.core.$ZodTypes, node);
    node.capture = capturing;
    node.watch = this.watches.get(schema) ?? WatchKind.None;
    const at = this.memory.writeNode(node);
    if (capturing === Capture.None) {
      this.nodes.set(schema, at);
    }
    return at;
  }

  /**
   * Adds the kinds that a schema allows to a node. In a union, only the first option of each kind is added. If another option has the same
   * kind, the node becomes unsure, because that option may accept more values.
   */
  private gather(schema: z.core.$ZodTypes, node: ScannedNode): void {
    const { def } = schema._zod;
    switch (def.type) {
      case 'optional':
      case 'nullable':
        node.flags |= def.type === 'nullable' ? Allow.Null : 0;
        this.gather(def.innerType as z.core.$ZodTypes, node);
        break;
      case 'unknown':
      case 'any':
        node.flags |= Allow.Any;
        break;
      case 'boolean':
        node.flags |= Allow.Boolean;
        break;
      case 'number':
        this.gatherNumber(def, node);
        break;
      case 'string':
        this.gatherText(def, node);
        break;
      case 'literal':
        this.gatherValues(def.values, node);
        break;
      case 'enum':
        this.gatherValues(Object.values(def.entries), node);
        break;
      case 'array':
        this.gatherArray(def, node);
        break;
      case 'object':
      case 'record':
        this.gatherObject(schema, () => this.objectOf(schema), node);
        break;
      case 'union':
        this.gatherUnion(schema, def, node);
        break;
      default:
        node.flags |= Allow.Unsure;
    }
  }

  private gatherUnion(schema: z.core.$ZodTypes, def: z.core.$ZodUnionDef, node: ScannedNode): void {
    const sides = sidesOfOpenUnion(def);
    if ('discriminator' in def) {
      this.gatherObject(schema, () => this.variants(def as z.core.$ZodDiscriminatedUnionDef), node);
    } else if (sides !== undefined) {
      this.gatherObject(schema, () => this.variants(sides.known, this.unknownVariant(sides.others)), node);
    } else {
      for (const option of def.options) {
        this.gather(option as z.core.$ZodTypes, node);
      }
    }
  }

  /**
   * Adds the object of an unknown variant and returns its address. The object has the fields that all variants share. Any text is accepted
   * as `type`, because the scan has already looked up the type.
   */
  private unknownVariant({ shape }: z.core.$ZodObjectDef): number {
    const type = this.memory.writeNode({ ...emptyNode(), flags: Allow.Text });
    return this.fields(new Map(Object.entries(shape)), this.anyNode(), ObjectKind.ByFields, undefined, new Map([['type', type]]));
  }

  private anyNode(): number {
    return this.memory.writeNode({ ...emptyNode(), flags: Allow.Any });
  }

  private gatherNumber(def: z.core.$ZodNumberDef, node: ScannedNode): void {
    if (hasKind(node, Allow.Number | Allow.Whole)) {
      return;
    }
    let { min, max } = node;
    for (const check of def.checks ?? []) {
      const { def: bound } = (check as z.core.$ZodChecks)._zod;
      if (bound.check === 'greater_than' && bound.inclusive) {
        min = Math.max(min, Number(bound.value));
      } else if (bound.check === 'less_than' && bound.inclusive) {
        max = Math.min(max, Number(bound.value));
      } else if ((bound as { params?: { limit?: unknown } }).params?.limit !== wholeNumber.limit) {
        node.flags |= Allow.Unsure;
        return;
      }
    }
    node.flags |= isWhole(def) ? Allow.Whole : Allow.Number;
    node.min = min;
    node.max = max;
  }

  private gatherText(def: z.core.$ZodStringDef, node: ScannedNode): void {
    if (hasKind(node, Allow.Text)) {
      return;
    }
    let { textMin, textMax, textKind: kind } = node;
    for (const check of def.checks ?? []) {
      const { def: rule } = (check as z.core.$ZodChecks | z.core.$ZodCustom)._zod;
      const params = 'params' in rule ? (rule.params as { limit?: unknown; minimum: number; maximum: number } | undefined) : undefined;
      const pattern = 'pattern' in rule && rule.pattern instanceof RegExp ? knownPatterns.get(rule.pattern.source) : undefined;
      if (rule.check === 'min_length' && rule.minimum <= 1) {
        // Counting UTF-16 units or characters gives the same result only for a minimum of 0 or 1.
        textMin = Math.max(textMin, rule.minimum);
      } else if (params?.limit === 'characters') {
        textMin = Math.max(textMin, params.minimum);
        textMax = Math.min(textMax, params.maximum);
      } else if (pattern !== undefined) {
        kind = pattern.kind;
        textMin = pattern.min;
        textMax = pattern.max;
      } else {
        node.flags |= Allow.Unsure;
        return;
      }
    }
    node.flags |= Allow.Text;
    node.textMin = textMin;
    node.textMax = textMax;
    node.textKind = kind;
  }

  private gatherValues(values: readonly unknown[], node: ScannedNode): void {
    const texts = values.filter(value => typeof value === 'string');
    if ((node.flags & Allow.Text) !== 0 || texts.length < values.length) {
      node.flags |= Allow.Unsure;
    } else {
      node.flags |= Allow.Text;
      node.textKind = TextKind.Listed;
      node.textTable = this.memory.table(texts.map(text => [text, 0, 0]));
    }
  }

  private gatherArray(def: z.core.$ZodArrayDef, node: ScannedNode): void {
    if (hasKind(node, Allow.Array)) {
      return;
    }
    let { itemsMin, itemsMax } = node;
    for (const check of def.checks ?? []) {
      const { def: bound } = (check as z.core.$ZodChecks)._zod;
      if (bound.check === 'min_length') {
        itemsMin = bound.minimum;
      } else if (bound.check === 'max_length') {
        itemsMax = bound.maximum;
      } else {
        node.flags |= Allow.Unsure;
        return;
      }
    }
    node.flags |= Allow.Array;
    Object.assign(node, { itemsMin, itemsMax, item: this.node(def.element) });
  }

  private gatherObject(schema: z.core.$ZodTypes, make: () => number, node: ScannedNode): void {
    const checks = (schema._zod.def as { checks?: readonly unknown[] }).checks ?? [];
    if (checks.length > 0) {
      node.flags |= Allow.Unsure;
    } else if (!hasKind(node, Allow.Object)) {
      node.flags |= Allow.Object;
      node.object = make();
    }
  }

  private objectOf(schema: z.core.$ZodTypes): number {
    const known = this.objects.get(schema);
    if (known !== undefined) {
      return known;
    }
    const { def } = schema._zod;
    let at = 0;
    if (def.type === 'object') {
      // The schema of a custom tool allows other fields, but the rules report them.
      const closed = def.catchall?._zod.def.type === 'never' || schema === customToolSchema;
      const kind = closed ? ObjectKind.Closed : isLoose(schema) ? ObjectKind.Loose : ObjectKind.ByFields;
      const other = closed ? this.anyNode() : def.catchall && this.node(def.catchall);
      at = this.fields(new Map(Object.entries(def.shape)), other ?? 0, kind);
    } else if (def.type === 'record') {
      at = this.fields(new Map(), this.node(def.valueType));
    }
    this.objects.set(schema, at);
    return at;
  }

  private variants(def: z.core.$ZodDiscriminatedUnionDef, open = 0): number {
    const at = this.memory.reserveObject();
    let other = 0;
    const entries: [string, number, number][] = [];
    for (const option of def.options) {
      const object = this.objectOf(option as z.core.$ZodTypes);
      for (const value of option._zod.propValues?.[def.discriminator] ?? []) {
        if (typeof value === 'string') {
          entries.push([value, object, 0]);
        } else {
          other = object;
        }
      }
    }
    const table = this.memory.table(entries);
    this.memory.writeObject(at, { kind: ObjectKind.ByType, table, required: 0n, other, longest: 0, open });
    return at;
  }
}
