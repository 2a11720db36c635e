type Encode = (text: string) => string;

const each =
  (encode: (code: number) => string, between = ''): Encode =>
  text =>
    Array.from(text, character => encode(character.charCodeAt(0))).join(between);
const eachByte =
  (encode: (byte: number) => string, between = ''): Encode =>
  text =>
    Array.from(Buffer.from(text), encode).join(between);
const hex = (code: number, digits = 2) => code.toString(16).padStart(digits, '0');
const names: Readonly<Record<string, string>> = { '/': 'sol', '+': 'plus', '=': 'equals', _: 'lowbar', '.': 'period', '&': 'amp' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Encodings in which a service, a gateway or a runtime may return a text from a request. */
const encoders: Readonly<Record<string, Encode>> = {
  'as it is': text => text,
  'in upper case': text => text.toUpperCase(),
  'in lower case': text => text.toLowerCase(),
  'in mixed case': text => Array.from(text, (one, at) => (at % 2 === 0 ? one.toUpperCase() : one.toLowerCase())).join(''),
  'as decimal entities': each(code => `&#${code};`),
  'as hexadecimal entities': each(code => `&#x${hex(code)};`),
  'as padded entities of capitals': each(code => `&#X000${hex(code).toUpperCase()};`),
  'as entities without an end': each(code => `&#${code}`),
  'as named entities': text => text.replace(/[/+=_.&]/g, one => `&${names[one]};`),
  'as part of an address': encodeURIComponent,
  'percent-encoded': eachByte(code => `%${hex(code)}`),
  'percent-encoded in capitals': eachByte(code => `%${hex(code).toUpperCase()}`),
  'as old escapes of addresses': each(code => `%u${hex(code, 4)}`),
  'as escapes of JSON': each(code => `\\u${hex(code, 4)}`),
  'as escapes of code points': each(code => `\\u{${hex(code)}}`),
  'as escapes of bytes': eachByte(code => `\\x${hex(code)}`),
  'as octal escapes': eachByte(code => `\\${code.toString(8).padStart(3, '0')}`),
  'as quoted-printable': eachByte(code => `=${hex(code).toUpperCase()}`),
  'in hex': text => Buffer.from(text).toString('hex'),
  'in capital hex': text => Buffer.from(text).toString('hex').toUpperCase(),
  'in hex with colons': eachByte(code => hex(code), ':'),
  'as a list of hex numbers': eachByte(code => `0x${hex(code)}`, ', '),
  'as a list of numbers': eachByte(code => `${code}`, ','),
  'as a buffer in JSON': text => JSON.stringify(Buffer.from(text)),
  'in Base64': base64,
  'in Base64 for addresses': text => Buffer.from(text).toString('base64url'),
  'in Base64 behind one byte': text => base64(`:${text}`),
  'in Base64 behind two bytes': text => base64(`::${text}`),
  'in Base64 of UTF-16': text => Buffer.from(text, 'utf16le').toString('base64'),
  'in lines': text => text.replace(/.{10}/g, '$&\r\n'),
  'with invisible characters': text => Array.from(text).join('\u200b'),
};

/** Encodings that a second gateway may apply to an encoded text. */
const outer = ['percent-encoded', 'as decimal entities', 'as escapes of JSON', 'in Base64', 'as part of an address'];

/** Returns all encodings of a text, by name. */
export function encodingsOf(text: string): ReadonlyMap<string, string> {
  const single = Object.entries(encoders);
  const double = outer.flatMap(name =>
    single
      .filter(([inner]) => !(inner === 'with invisible characters' && name === 'in Base64'))
      .map(([inner, encode]): [string, Encode] => [`${inner}, and that ${name}`, given => encoders[name]?.(encode(given)) ?? '']),
  );
  return new Map([...single, ...double].map(([name, encode]) => [name, encode(text)]));
}
