/** Decoded text with the position of each character in the original text. */
interface Layer {
  readonly text: string;
  startOf(at: number): number;
  /** Returns the end (exclusive), in the original text, of the character at index `at`. */
  endOf(at: number): number;
}

const maxDepth = 4;
const maxLayers = 24;
/** Minimum number of consecutive readable bytes that count as text. */
const minReadable = 8;

/**
 * Yields a text and the texts that it encodes, in at most four layers. Decodes percent-encoding, HTML entities, escapes of programming
 * languages and of quoted-printable, Base64, hex and lists of numbers. `isJoined` adds the text without white space and invisible
 * characters. Takes time in proportion to the text.
 */
export function* toDecodedLayers(text: string, isJoined: boolean): Generator<Layer> {
  const decoders = isJoined ? [...decodersOfText, joined] : decodersOfText;
  const first: Layer = { text, startOf: at => at, endOf: at => at + 1 };
  const known = new Set([text]);
  let layers = [first];
  for (let depth = 0; layers.length > 0; depth++) {
    yield* layers;
    if (depth === maxDepth) {
      return;
    }
    const next: Layer[] = [];
    for (const layer of layers) {
      for (const decode of decoders) {
        const decoded = decode(layer);
        if (decoded !== undefined && decoded.text !== '' && !known.has(decoded.text) && known.size < maxLayers) {
          known.add(decoded.text);
          next.push(decoded);
        }
      }
    }
    layers = next;
  }
}

const ascii = new TextDecoder();

/** Builds a layer piece by piece. A decoded text is never longer than its encoding. */
class LayerBuilder implements Layer {
  private readonly pieces: string[] = [];
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  private length = 0;

  constructor(private readonly of: Layer) {
    this.starts = new Int32Array(of.text.length);
    this.ends = new Int32Array(of.text.length);
  }

  get text(): string {
    const text = this.pieces.join('');
    this.pieces.splice(0, this.pieces.length, text);
    return text;
  }

  startOf(at: number): number {
    return this.starts[at] ?? 0;
  }

  endOf(at: number): number {
    return this.ends[at] ?? 0;
  }

  /** Adds decoded characters. `start` and `end` (exclusive) are the offsets of their encoding. */
  add(characters: string, start: number, end: number): void {
    this.pieces.push(characters);
    const [first, last] = [this.of.startOf(start), this.of.endOf(end - 1)];
    for (let count = 0; count < characters.length; count++) {
      this.starts[this.length] = first;
      this.ends[this.length++] = last;
    }
  }

  /** Adds a line of bytes as characters. `spans` contains the start and end of the encoding of each byte, relative to `offset`. */
  addBytes(bytes: Uint8Array, spans: Int32Array, offset: number): void {
    this.pieces.push(ascii.decode(bytes), '\n');
    for (let at = 0; at < bytes.length; at++) {
      this.starts[this.length] = this.of.startOf(offset + (spans[2 * at] ?? 0));
      this.ends[this.length++] = this.of.endOf(offset + (spans[2 * at + 1] ?? 1) - 1);
    }
    this.starts[this.length] = this.starts[this.length - 1] ?? 0;
    this.ends[this.length] = this.ends[this.length - 1] ?? 0;
    this.length++;
  }

  copy(start: number, end: number): void {
    this.pieces.push(this.of.text.slice(start, end));
    for (let at = start; at < end; at++) {
      this.starts[this.length] = this.of.startOf(at);
      this.ends[this.length++] = this.of.endOf(at);
    }
  }
}

type Decode = (layer: Layer) => Layer | undefined;

/** Returns a decoder that replaces each match of a pattern by the result of `decode`, or keeps the match if the result is `undefined`. */
function replacing(pattern: RegExp, decode: (match: RegExpExecArray) => string | undefined): Decode {
  return layer => {
    if (layer.text.search(pattern) < 0) {
      return undefined;
    }
    const built = new LayerBuilder(layer);
    let done = 0;
    for (const match of layer.text.matchAll(pattern)) {
      const characters = decode(match);
      if (characters !== undefined) {
        built.copy(done, match.index);
        done = match.index + match[0].length;
        built.add(characters, match.index, done);
      }
    }
    built.copy(done, layer.text.length);
    return built;
  };
}

const entities = new Map(
  (
    'amp& lt< gt> quot" apos\' sol/ plus+ equals= lowbar_ underbar_ hyphen- dash- period. colon: comma, semi; excl! num# dollar$ percnt% lpar( ' +
    'rpar) ast* midast* quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace}'
  )
    .split(' ')
    .map(entity => [entity.slice(0, -1), entity.slice(-1)]),
);

const unescaped = replacing(
  /%u([\da-f]{4})|%([\da-f]{2})|&#x0{0,9}([\da-f]{1,6});?|&#0{0,9}(\d{1,7});?|&([a-z]{2,10});|\\u([\da-f]{4})|\\u\{0{0,9}([\da-f]{1,6})\}|\\x([\da-f]{2})|\\([0-3]?[0-7]{2})|\\([nrt"'`/\\])/gi,
  ([, oldEscape, percent, hexEntity, entity, name, unicode, codePoint, byte, octal, character]) => {
    if (name !== undefined) {
      return entities.get(name.toLowerCase());
    }
    if (character !== undefined) {
      return /[nrt]/i.test(character) ? ' ' : character;
    }
    const hex = oldEscape ?? percent ?? hexEntity ?? unicode ?? codePoint ?? byte;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : entity !== undefined ? Number(entity) : Number.parseInt(octal ?? '', 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
  },
);

const unquoted = replacing(/=([\da-f]{2})|=\r?\n/gi, ([, hex]) => (hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16))));

/** Removes white space and invisible characters, including U+2000 to U+202F decoded as UTF-8 bytes. */
const joined = replacing(/(?:[\s\0\p{Cf}]|\u00e2\u0080[\u0080-\u00af])+/gu, () => '');

type PushByte = (value: number, start: number, end: number) => void;

/** Returns a decoder for runs of encoded bytes. The decoder keeps the readable pieces, each on its own line. */
function reading(pattern: RegExp, decode: (run: string, push: PushByte) => void): Decode {
  return layer => {
    if (layer.text.search(pattern) < 0) {
      return undefined;
    }
    const built = new LayerBuilder(layer);
    for (const { 0: run, index } of layer.text.matchAll(pattern)) {
      const codes = new Uint8Array(run.length);
      const spans = new Int32Array(2 * run.length);
      let length = 0;
      const keep = () => {
        if (length >= minReadable) {
          built.addBytes(codes.subarray(0, length), spans, index);
        }
        length = 0;
      };
      decode(run, (value, start, end) => {
        if ((value >= 32 && value < 127) || value === 9 || value === 10 || value === 13) {
          codes[length] = value;
          spans[2 * length] = start;
          spans[2 * length++ + 1] = end;
        } else if (value !== 0) {
          keep();
        }
      });
      keep();
    }
    return built;
  };
}

const values = new Uint8Array(128);
for (const [at, letter] of Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_').entries()) {
  values[letter.charCodeAt(0)] = at < 64 ? at : at - 2;
}

/** Decodes Base64 at one of four alignments, because a run can start in the middle of a group. */
const base64From = (skipped: number) =>
  reading(/[A-Za-z0-9+/_-]{11,}/g, (run, push) => {
    let bits = 0;
    let count = 0;
    for (let at = skipped; at < run.length; at++) {
      bits = ((bits << 6) | (values[run.charCodeAt(at)] ?? 0)) & 0xffff;
      count += 6;
      if (count >= 8) {
        count -= 8;
        push((bits >> count) & 0xff, at - 1, at + 1);
      }
    }
  });

const hexFrom = (skipped: number) =>
  reading(/[\da-f]{16,}/gi, (run, push) => {
    for (let at = skipped; at + 2 <= run.length; at += 2) {
      push(Number.parseInt(run.slice(at, at + 2), 16), at, at + 2);
    }
  });

const numbersOf = (pattern: RegExp, number: RegExp, radix: number) =>
  reading(pattern, (run, push) => {
    for (const { 0: digits, index: at } of run.matchAll(number)) {
      push(Number.parseInt(digits, radix) & 0xff, at, at + digits.length);
    }
  });

const decodersOfText: readonly Decode[] = [
  unescaped,
  unquoted,
  ...[0, 1, 2, 3].map(base64From),
  ...[0, 1].map(hexFrom),
  numbersOf(/(?:(?:0x)?[\da-f]{2}[\s,;:-]{1,3}){7,}(?:0x)?[\da-f]{2}/gi, /[\da-f]{2}(?![\dx])/gi, 16),
  numbersOf(/(?:\d{2,3}[\s,;]{1,3}){7,}\d{2,3}/g, /\d+/g, 10),
];
