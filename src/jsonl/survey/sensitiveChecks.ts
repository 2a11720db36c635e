/** Length of bank account numbers (IBAN) by country. */
const accountLengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28' +
    'IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24' +
    'SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20'
  )
    .match(/.{4}/g)
    ?.map(entry => [entry.slice(0, 2), Number(entry.slice(2))]) ?? [],
);

/** Returns the length of the bank account number at the start of a text, including spaces, by its country; 0 if the text is too short. */
export function accountLength(text: string): number {
  const wanted = accountLengths.get(text.slice(0, 2)) ?? Number.POSITIVE_INFINITY;
  let seen = 0;
  for (let index = 0; index < text.length; index++) {
    seen += text[index] === ' ' ? 0 : 1;
    if (seen === wanted) {
      return index + 1;
    }
  }
  return 0;
}

/**
 * Returns whether a text starts with a bank account number: known country, matching length, valid check digits (ISO 13616, mod 97 is 1).
 */
export function isBankAccount(text: string): boolean {
  const length = accountLength(text);
  if (length === 0 || /^[A-Z0-9]/.test(text.slice(length))) {
    return false;
  }
  const account = text.slice(0, length).replaceAll(' ', '');
  let remainder = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/**
 * Returns whether digits, ungrouped or in regular groups, are a payment card number: a known issuer prefix, matching length and valid Luhn
 * sum.
 */
export function isPaymentCard(text: string): boolean {
  const separators = new Set(text.replace(/\d/g, ''));
  if (separators.size > 1 || (separators.size === 1 && !/^(?:\d{4}[ -]){3}\d{1,7}$|^\d{4}[ -]\d{6}[ -]\d{4,5}$/.test(text))) {
    return false;
  }
  const digits = text.replace(/\D/g, '');
  const known =
    /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14,17})$/;
  if (!known.test(digits) || new Set(digits).size === 1) {
    return false;
  }
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const value = index % 2 === 0 ? digit : digit * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Returns whether a token looks random, like a key: it has a digit and high entropy. */
export function looksRandom(token: string): boolean {
  if (!/\d/.test(token) || /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(token)) {
    return false;
  }
  const sample = token.slice(0, 100);
  const counts = new Map<string, number>();
  for (const character of sample) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  let entropy = 0;
  for (const count of counts.values()) {
    entropy -= (count / sample.length) * Math.log2(count / sample.length);
  }
  return entropy >= 3.2;
}
