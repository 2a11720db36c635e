/** Characters of the longest line that is written anew. */
const longest = 1 << 18;
/** A name with escapes. A quotation mark with no backslash before it begins or ends a string; behind one that ends it no name can stand. */
const escapedName = /[^\\]"([\w.$-]*\\u00[2-7][\da-fA-F](?:[\w.$-]|\\u00[2-7][\da-fA-F])*)"[ \t]*:/g;
const escapedUnit = /\\u(00[2-7][\da-fA-F])/g;
const plainName = /^[\w.$-]+$/;

/**
 * A line of JSON with its names written without escapes, as far as they are of letters, digits and the like: it says the same, and names that
 * stand twice still do. Undefined where no name has one. A line that is no JSON does not become any.
 */
export function withPlainNames(text: string): string | undefined {
  if (text.length > longest || !text.includes('\\u00')) {
    return undefined;
  }
  const plain = text.replace(escapedName, (whole, escaped: string) => {
    const name = escaped.replace(escapedUnit, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    return plainName.test(name) ? whole.replace(escaped, () => name) : whole;
  });
  return plain === text ? undefined : plain;
}
