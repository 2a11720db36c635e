import { endOfString, skipSpace } from '../scanning/jsonMembers';

/** Value in a text that may be invalid because it is being typed. `end` is exclusive. */
export interface LooseValue {
  readonly kind: 'object' | 'array' | 'text' | 'word';
  readonly start: number;
  end: number;
  /** True if the closing bracket or quote is present. Words are always closed. */
  closed: boolean;
  readonly members: LooseMember[];
  readonly items: LooseValue[];
}

export interface LooseMember {
  /** Key: a quoted string, or a bare word. */
  readonly key: LooseValue;
  /** Column of the colon, or -1. */
  colon: number;
  value: LooseValue | undefined;
}

/** Maximum nesting. A deeper value is read as one word. */
const maxDepth = 512;

/**
 * Parses the JSON value of a line, which may be invalid. Unclosed texts and brackets end where valid JSON seems to continue. Missing
 * commas, colons and values are skipped. Never throws. Takes time linear in the length of the text.
 */
export function parseLoose(text: string): LooseValue | undefined {
  return new LooseParser(text).parse();
}

/** Decodes a string. If it is not valid JSON, returns the raw text between its quotes. */
export function textOf(source: string, value: LooseValue): string {
  const raw = source.slice(value.start, value.end);
  if (value.kind !== 'text') {
    return raw;
  }
  const inner = raw.slice(1, value.closed ? -1 : undefined);
  if (!inner.includes('\\')) {
    return inner;
  }
  try {
    return String(JSON.parse(value.closed ? raw : `${raw}"`));
  } catch {
    return inner;
  }
}

/** Returns the member of an object with this name. If the name is duplicated, returns the last member. */
export function memberOf(source: string, object: LooseValue | undefined, name: string): LooseMember | undefined {
  return object?.members.findLast(({ key }) => textOf(source, key) === name);
}

export function memberText(source: string, object: LooseValue | undefined, name: string): string | undefined {
  const value = memberOf(source, object, name)?.value;
  return value?.kind === 'text' ? textOf(source, value) : undefined;
}

class LooseParser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  parse(): LooseValue | undefined {
    this.at = skipSpace(this.text, this.text.startsWith('\ufeff') ? 1 : 0);
    return this.value();
  }

  /** Reads the value at the current position. If there is no value, reads nothing and returns `undefined`. */
  private value(): LooseValue | undefined {
    const character = this.text[this.at];
    switch (character) {
      case undefined:
      case ',':
      case ':':
      case '}':
      case ']':
        return undefined;
      case '"':
        return this.string();
      case '{':
        return this.depth < maxDepth ? this.object() : this.rest();
      case '[':
        return this.depth < maxDepth ? this.array() : this.rest();
      default:
        return this.word();
    }
  }

  private object(): LooseValue {
    const object = this.open('object');
    while (this.next('}', object)) {
      const key = this.text[this.at] === '"' ? this.string() : this.word();
      if (key === undefined) {
        // Skips a misplaced bracket or colon, or a value without a name.
        if (this.value() === undefined) {
          this.at++;
        }
        continue;
      }
      const member: LooseMember = { key, colon: -1, value: undefined };
      object.members.push(member);
      this.skip();
      if (this.text[this.at] === ':') {
        member.colon = this.at++;
        this.skip();
        member.value = this.isKey() ? undefined : this.value();
      }
    }
    return object;
  }

  private array(): LooseValue {
    const array = this.open('array');
    while (this.next(']', array)) {
      const item = this.value();
      if (item === undefined) {
        this.at++;
      } else {
        array.items.push(item);
      }
    }
    return array;
  }

  private open(kind: 'object' | 'array'): LooseValue {
    this.depth++;
    return { kind, start: this.at++, end: this.text.length, closed: false, members: [], items: [] };
  }

  /** Moves to the next member or item of the container and returns true, or ends the container and returns false. */
  private next(close: '}' | ']', container: LooseValue): boolean {
    for (;;) {
      this.skip();
      const character = this.text[this.at];
      if (character === ',' || (character !== close && this.depth === 1 && (character === '}' || character === ']'))) {
        // Skips a comma, or a bracket that closes nothing.
        this.at++;
        continue;
      }
      if (character !== undefined && character !== '}' && character !== ']') {
        return true;
      }
      // A bracket of the other kind belongs to an outer container, so this container stays unclosed.
      container.closed = character === close;
      this.at += container.closed ? 1 : 0;
      container.end = this.at;
      this.depth--;
      return false;
    }
  }

  private string(): LooseValue {
    const { text, at: start } = this;
    const end = endOfString(text, start);
    if (end < 0) {
      return this.finish('text', start, lastEnd(text, start + 1), false);
    }
    const follower = text[skipSpace(text, end)];
    const isEnd = follower === undefined || ',:}]"'.includes(follower);
    return isEnd ? this.finish('text', start, end, true) : this.unclosed(start, end - 1);
  }

  /**
   * Reads a text whose closing quote is missing. `quote` is the next quote after its start. The text ends at `quote` if another short text
   * starts there and no comma or closing bracket comes first. Otherwise, the text ends at the next comma or closing bracket.
   */
  private unclosed(start: number, quote: number): LooseValue {
    const sign = /[,}\]]/g;
    sign.lastIndex = start + 1;
    const end = sign.exec(this.text)?.index ?? this.text.length;
    const whole = /"[^"\\]{0,200}"\s*[,:}\]]/y;
    whole.lastIndex = quote;
    return this.finish('text', start, quote < end && whole.test(this.text) ? quote : end, false);
  }

  private word(): LooseValue | undefined {
    const word = /[^,:{}[\]"\s]+/y;
    word.lastIndex = this.at;
    const found = word.exec(this.text);
    return found === null ? undefined : this.finish('word', this.at, this.at + found[0].length, true);
  }

  private rest(): LooseValue {
    return this.finish('word', this.at, this.text.length, true);
  }

  private finish(kind: 'text' | 'word', start: number, end: number, closed: boolean): LooseValue {
    this.at = end;
    return { kind, start, end, closed, members: noMembers, items: noItems };
  }

  /** Returns whether a key follows: a text with a colon after it. */
  private isKey(): boolean {
    if (this.text[this.at] !== '"') {
      return false;
    }
    const { at } = this;
    this.string();
    const isKey = this.text[skipSpace(this.text, this.at)] === ':';
    this.at = at;
    return isKey;
  }

  private skip(): void {
    this.at = skipSpace(this.text, this.at);
  }
}

/** Returns the end of an unclosed text: the end of the line without trailing brackets and white space. */
function lastEnd(text: string, from: number): number {
  let end = text.length;
  while (end > from && ' \t\r\n}]'.includes(text[end - 1] ?? '')) {
    end--;
  }
  return end;
}

const noMembers: LooseMember[] = [];
const noItems: LooseValue[] = [];
