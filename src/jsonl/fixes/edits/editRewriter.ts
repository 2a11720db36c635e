import { cutText } from '../../../shared/text';
import { compactJson, type JsonContainer, type JsonPart } from '../../scanning/jsonMembers';
import { JsonLine } from '../jsonLine';
import { insertion, itemInsertion, type JsonPath, memberOf, removals, replacement } from '../jsonParts';
import type { LineRewriter, RewriteSummary, SourceLine } from '../lineRewriter';
import { applyEdits, smallestEdit, type TextEdit } from '../textEdit';
import type { EditChoice, EditExample, FieldEdit, LeftReason } from './fieldEdit';

/**
 * Limits of the examples: their number, and the lengths of the text before, after and in a change, in characters. The text before a change
 * is short, so that the change is visible in half the width of an editor.
 */
const maxExamples = 100;
const maxBefore = 20;
const maxAfter = 60;
const maxChanged = 2000;

/** Makes one change in the requests in scope. All other bytes stay unchanged. */
export class EditRewriter implements LineRewriter {
  private readonly left = new Map<LeftReason, number>();
  private readonly models = new Map<string, number>();
  private readonly rules = new Map<string, number>();
  private readonly examples: EditExample[] = [];
  private requests = 0;
  private withoutId = 0;
  private troubled = 0;
  private changed = 0;

  constructor(private readonly choice: EditChoice) {}

  survey(line: SourceLine): void {
    if (line.kind !== 'request' && line.kind !== 'params') {
      return;
    }
    this.requests++;
    this.withoutId += line.kind === 'request' && line.customId() ? 0 : 1;
    const model = line.model();
    if (model !== undefined) {
      add(this.models, model);
    }
    this.troubled += line.noted.length > 0 ? 1 : 0;
    for (const rule of new Set(line.noted.map(noted => noted.rule))) {
      add(this.rules, rule);
    }
  }

  rewrite(line: SourceLine): readonly string[] | undefined {
    if (line.kind === 'blank' || this.choice.edit === undefined) {
      return undefined;
    }
    if (line.kind === 'invalid' || !line.canChange) {
      add(this.left, 'unreadable');
      return undefined;
    }
    if (!this.isMeant(line)) {
      add(this.left, 'other');
      return undefined;
    }
    const text = line.text();
    const edits = editsOf(new JsonLine(text), this.choice.edit);
    if (typeof edits === 'string') {
      add(this.left, edits);
      return undefined;
    }
    const after = applyEdits(text, edits);
    this.changed++;
    if (this.examples.length < maxExamples) {
      this.examples.push({ line: line.line, id: line.kind === 'request' ? line.customId() : undefined, ...cutAround(text, after) });
    }
    return [after];
  }

  summary(): RewriteSummary {
    const { requests, withoutId, changed, left, examples, models, rules, troubled } = this;
    const edited = { left: [...left], examples, models: mostFrequentFirst(models), rules: mostFrequentFirst(rules), troubled };
    return { changedLines: changed, fixes: [], problemsLeft: 0, requests, withoutId, edited };
  }

  private isMeant(line: SourceLine): boolean {
    const { scope } = this.choice;
    const id = () => (line.kind === 'request' ? line.customId() : undefined);
    switch (scope.by) {
      case 'all':
        return true;
      case 'model':
        return line.model() === scope.model;
      case 'problem':
        return line.noted.some(({ rule }) => scope.rule === undefined || scope.rule === rule);
      case 'id':
        return id()?.includes(scope.part) === true;
      case 'lines':
        return scope.lines.has(line.line);
      case 'ids':
        return scope.ids.has(id() ?? '');
    }
  }
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFrequentFirst(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function cutAround(before: string, after: string): Pick<EditExample, 'before' | 'after'> {
  const { start, end, text } = smallestEdit(before, after);
  const head = `${start > maxBefore ? '…' : ''}${before.slice(Math.max(0, start - maxBefore), start)}`;
  const tail = `${before.slice(end, end + maxAfter)}${end + maxAfter < before.length ? '…' : ''}`;
  const cut = (change: string) => `${head}${cutText(change, maxChanged)}${tail}`;
  return { before: cut(before.slice(start, end)), after: cut(text) };
}

/** Returns the edits that make a change in a request or bare params, or the reason why the line stays unchanged. */
export function editsOf(line: JsonLine, edit: FieldEdit): readonly TextEdit[] | LeftReason {
  const params = paramsOf(line);
  if (params === undefined) {
    return 'blocked';
  }
  switch (edit.kind) {
    case 'set':
      return set(line, params, edit.path, edit.value);
    case 'remove':
      return remove(line, params, edit.path);
    case 'set_system':
      return setSystem(line, params, edit.value);
    case 'put_tool':
      return putTool(line, params, edit);
    case 'remove_tool':
      return removeTool(line, params, edit.name);
  }
}

function paramsOf(line: JsonLine): JsonContainer | undefined {
  const { root, paramsPath } = line;
  return paramsPath.length > 0 ? line.objectAt(memberOf(root, 'params')) : root && line.text[root.start] === '{' ? root : undefined;
}

function set(line: JsonLine, params: JsonContainer, path: JsonPath, value: string): readonly TextEdit[] | LeftReason {
  let container = params;
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth + 1);
    const part = memberOf(container, step);
    if (part === undefined) {
      const isField = typeof step === 'string' && line.text[container.start] === '{';
      return isField && rest.every(isKey) ? [insertion(line.text, container, step, nested(rest, value))] : 'blocked';
    }
    if (rest.length === 0) {
      return isSame(line.raw(part), value) ? 'same' : [replacement(part, value)];
    }
    const inner = line.containerAt(part.start);
    if (inner === undefined) {
      return line.raw(part) === 'null' && rest.every(isKey) ? [replacement(part, nested(rest, value))] : 'blocked';
    }
    container = inner;
  }
  return 'blocked';
}

function remove(line: JsonLine, params: JsonContainer, path: JsonPath): readonly TextEdit[] | LeftReason {
  let container: JsonContainer | undefined = params;
  for (const step of path.slice(0, -1)) {
    const part: JsonPart | undefined = memberOf(container, step);
    container = part && line.containerAt(part.start);
    if (container === undefined) {
      return 'absent';
    }
  }
  // Removes all duplicates of the key, because the last remaining duplicate would take effect.
  const found = indexesOf(container, ({ key }) => key === path.at(-1));
  return found.length === 0 ? 'absent' : removals(container, found);
}

function setSystem(line: JsonLine, params: JsonContainer, value: string): readonly TextEdit[] | LeftReason {
  const blocks = line.arrayAt(memberOf(params, 'system'))?.parts;
  if (blocks === undefined || blocks.length === 0) {
    return set(line, params, ['system'], value);
  }
  return blocks.length > 1 ? 'blocks' : set(line, params, ['system', 0, 'text'], value);
}

function putTool(line: JsonLine, params: JsonContainer, tool: { readonly name: string; readonly value: string }) {
  const part = memberOf(params, 'tools');
  if (part === undefined || line.raw(part) === 'null') {
    return set(line, params, ['tools'], `[${tool.value}]`);
  }
  const tools = line.arrayAt(part);
  if (tools === undefined) {
    return 'blocked';
  }
  const named = indexesOf(tools, item => isNamed(line, item, tool.name));
  if (named.length === 0) {
    return [itemInsertion(line.text, tools, tool.value)];
  }
  const others = named.flatMap(index => tools.parts[index] ?? []).filter(item => !isSame(line.raw(item), tool.value));
  return others.length === 0 ? 'same' : others.map(item => replacement(item, tool.value));
}

function removeTool(line: JsonLine, params: JsonContainer, name: string): readonly TextEdit[] | LeftReason {
  const tools = line.arrayAt(memberOf(params, 'tools'));
  const named = tools === undefined ? [] : indexesOf(tools, item => isNamed(line, item, name));
  if (tools === undefined || named.length === 0) {
    return 'absent';
  }
  // An empty list of tools is equivalent to a missing list.
  return named.length === tools.parts.length ? remove(line, params, ['tools']) : removals(tools, named);
}

function isNamed(line: JsonLine, item: JsonPart, name: string): boolean {
  return line.valueOf(memberOf(line.objectAt(item), 'name')) === name;
}

function indexesOf({ parts }: JsonContainer, fits: (part: JsonPart) => boolean): readonly number[] {
  return parts.flatMap((part, index) => (fits(part) ? [index] : []));
}

/** Returns whether a step is a key. A missing key can be created, a missing array item can't. */
function isKey(step: string | number): step is string {
  return typeof step === 'string';
}

function nested(path: JsonPath, value: string): string {
  return path.reduceRight((inner: string, key) => `{${JSON.stringify(key)}:${inner}}`, value);
}

/** Returns whether two JSON texts have the same value. Strings are decoded, white space elsewhere ignored. */
function isSame(one: string, other: string): boolean {
  return one.startsWith('"') && other.startsWith('"') ? JSON.parse(one) === JSON.parse(other) : compactJson(one) === compactJson(other);
}
