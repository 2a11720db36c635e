import type { IdTable } from '../files/idTable';
import { isPlain } from '../scanning/jsonBytes';

const beforeId = Buffer.from('{"custom_id":"');
const beforeLine = Buffer.from('","line":');
const nullText = Buffer.from('null');
/** Maximum number of digits of a line number; more than the length of `null`. */
const mostDigits = 10;

/** Writes the start of each joined line, `{"custom_id":"...","line":N`. Line numbers are 1-based; `null` if there is no line. */
export class JoinedHeads {
  private named = -1;
  private name: Uint8Array | undefined;

  constructor(private readonly ids: IdTable) {}

  /** Returns the length in bytes of the head for an id number and a line (0-based, or -1). */
  lengthOf(id: number, line: number): number {
    const name = this.escapedName(id);
    const nameBytes = name?.length ?? this.ids.endOf(id) - this.ids.startOf(id);
    return beforeId.length + nameBytes + beforeLine.length + (line < 0 ? nullText.length : digitsOf(line + 1));
  }

  /** Returns an upper bound for the length in bytes of any head for the id. */
  mostBytes(id: number): number {
    const nameBytes = this.escapedName(id)?.length ?? this.ids.endOf(id) - this.ids.startOf(id);
    return beforeId.length + nameBytes + beforeLine.length + mostDigits;
  }

  /** Writes the head to `into` and returns its end offset. */
  put(into: Uint8Array, at: number, id: number, line: number): number {
    const name = this.escapedName(id);
    let end = copy(beforeId, 0, beforeId.length, into, at);
    end =
      name === undefined
        ? copy(this.ids.allBytes, this.ids.startOf(id), this.ids.endOf(id), into, end)
        : copy(name, 0, name.length, into, end);
    end = copy(beforeLine, 0, beforeLine.length, into, end);
    return line < 0 ? copy(nullText, 0, nullText.length, into, end) : putNumber(line + 1, into, end);
  }

  /** Returns the JSON-escaped bytes of an id, without quotes, or `undefined` if the id needs no escapes. */
  private escapedName(id: number): Uint8Array | undefined {
    if (id !== this.named) {
      this.named = id;
      this.name = isPlain(this.ids.allBytes, this.ids.startOf(id), this.ids.endOf(id))
        ? undefined
        : Buffer.from(JSON.stringify(this.ids.text(id))).subarray(1, -1);
    }
    return this.name;
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) {
    digits++;
  }
  return digits;
}

function putNumber(value: number, into: Uint8Array, at: number): number {
  const end = at + digitsOf(value);
  for (let place = end - 1, rest = value; place >= at; place--, rest = Math.floor(rest / 10)) {
    into[place] = 0x30 + (rest % 10);
  }
  return end;
}

/** Copies bytes. For a few bytes, this is faster than `set` with a subarray. */
function copy(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number {
  let place = at;
  for (let index = start; index < end; index++) {
    into[place++] = from[index] as number;
  }
  return place;
}
