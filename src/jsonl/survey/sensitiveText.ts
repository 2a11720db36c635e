import { isSecret, type SensitivePattern } from './fileSurvey';
import { trigger } from './textScan';

/** Sensitive part of a text, with UTF-16 offsets. */
interface SensitiveMatch {
  readonly pattern: SensitivePattern;
  readonly start: number;
  readonly end: number;
}

interface PatternRule {
  readonly pattern: SensitivePattern;
  /** Trigger bits. A text without any of these bits can't match the pattern. */
  readonly trigger: number;
  /**
   * Global expression. Repetitions are bounded and never start inside a run of the repeated characters, so that matching takes linear time.
   */
  readonly expression: RegExp;
  /** Returns whether a match counts. `value` is the first group or the whole match. `before` returns the text before the match. */
  readonly accepts?: (value: string, before: () => string) => boolean;
}

const placeholder = /^(?:pass(?:word|wd)?|pwd|secret|token|x+|\*+|\.+|<.*>?|\[.*|\$.*|\{.*|%.*|your.*|my.*|change.*)$/i;
/** File extensions after an at sign, as in `icon@2x.png`. */
const fileEnding = /\.(?:png|jpe?g|gif|svg|webp|ico|css|jsx?|tsx?|json|html?|py|go|rs|md)$/i;
/** Reserved domains and impersonal senders. */
const nobody = /@(?:[^@]*\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)$|^(?:git|no-?reply|do-?not-?reply)@/i;
/** Start of a URL with user info, up to its at sign. */
const userPart = /:\/\/[^\s@/]*$/;

const rules: readonly PatternRule[] = [
  {
    pattern: 'private-key',
    trigger: trigger.dashes,
    expression: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    pattern: 'api-key',
    trigger: trigger.token,
    expression: new RegExp(
      `(?<![A-Za-z0-9_-])(?:${[
        'sk-[A-Za-z0-9_-]{18,250}',
        '[prs]k_(?:live|test)_[A-Za-z0-9]{16,250}',
        '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])',
        'gh[pousr]_[A-Za-z0-9]{36,250}',
        'github_pat_[A-Za-z0-9_]{22,250}',
        'glpat-[A-Za-z0-9_-]{20,250}',
        'xox[abeoprs]-[A-Za-z0-9-]{15,250}',
        'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])',
        'ya29\\.[A-Za-z0-9_-]{20,250}',
        'npm_[A-Za-z0-9]{36}',
        'hf_[A-Za-z0-9]{30,250}',
        'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}',
        'pypi-[A-Za-z0-9_-]{50,250}',
      ].join('|')})`,
      'g',
    ),
    accepts: value => looksRandom(value) && !value.endsWith('EXAMPLE'),
  },
  {
    pattern: 'api-key',
    trigger: trigger.token,
    expression:
      /(?<![A-Za-z0-9_-])(?:[A-Za-z0-9]{1,20}[_-]){0,4}(?:api[_-]?key|secret[_-]?(?:access[_-]?)?key|client[_-]?secret|(?:access|auth|refresh)[_-]?token|x-api-key)["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9_./+=-]{20,250})/gi,
    accepts: looksRandom,
  },
  {
    pattern: 'json-web-token',
    trigger: trigger.token,
    expression: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,20000}\.[A-Za-z0-9_-]{10,4000}/g,
  },
  {
    pattern: 'bearer-token',
    trigger: trigger.token,
    expression: /(?<![A-Za-z0-9_-])bearer {1,4}([A-Za-z0-9._~+/=-]{20,4000})/gi,
    accepts: looksRandom,
  },
  {
    pattern: 'connection-string',
    trigger: trigger.at,
    expression: /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,100}:([^\s@/"'<>]{3,200})@[A-Za-z0-9[]/gi,
    accepts: value => !placeholder.test(value),
  },
  {
    pattern: 'e-mail',
    trigger: trigger.at,
    expression: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9_][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9@-])/g,
    accepts: (value, before) => !nobody.test(value) && !fileEnding.test(value) && !value.includes('..') && !userPart.test(before()),
  },
  {
    pattern: 'payment-card',
    trigger: trigger.digits,
    expression: /(?<![A-Za-z0-9_.,+-])\d(?:[ -]?\d){13,18}(?![A-Za-z0-9_-])/g,
    accepts: isPaymentCard,
  },
  {
    pattern: 'bank-account',
    trigger: trigger.digits,
    expression: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/g,
    accepts: text => accountLength(text) > 0,
  },
  {
    pattern: 'social-security-number',
    trigger: trigger.digits,
    expression: /(?<![A-Za-z0-9_.+-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![A-Za-z0-9_-])/g,
  },
  {
    pattern: 'phone-number',
    trigger: trigger.digits,
    expression: /(?<![A-Za-z0-9_+])\+[1-9](?:[ ().-]{0,2}\d){8,14}(?!\d)/g,
  },
  {
    pattern: 'phone-number',
    trigger: trigger.digits,
    expression: /(?<![A-Za-z0-9_.+/-])(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[.-]\d{4}(?![A-Za-z0-9_-])/g,
    accepts: value => !/555[.-]01/.test(value),
  },
];

const everything = trigger.at | trigger.digits | trigger.token | trigger.dashes;

/**
 * Finds secrets and personal data in a text, in text order. Of overlapping matches the first one wins. `triggers` are the bits that
 * `TextScan` found. Without `triggers`, every pattern is tried. Takes time linear in the length of the text.
 */
export function findSensitive(text: string, triggers = everything): SensitiveMatch[] {
  const found: SensitiveMatch[] = [];
  for (const { pattern, trigger: needed, expression, accepts } of rules) {
    if ((triggers & needed) === 0) {
      continue;
    }
    for (const match of text.matchAll(expression)) {
      const { index: start } = match;
      if (accepts?.(match[1] ?? match[0], () => text.slice(Math.max(0, start - 200), start)) !== false) {
        const length = pattern === 'bank-account' ? accountLength(match[0]) : match[0].length;
        found.push({ pattern, start, end: start + length });
      }
    }
  }
  found.sort((a, b) => a.start - b.start);
  let end = 0;
  return found.filter(match => {
    const isApart = match.start >= end;
    end = isApart ? match.end : end;
    return isApart;
  });
}

/** Finds only secrets: keys, tokens, and URLs with passwords. */
export function findSecretTexts(text: string): readonly SensitiveMatch[] {
  return findSensitive(text).filter(({ pattern }) => isSecret(pattern));
}

/** Masks a sensitive text. Shows at most its first four characters and never more than a quarter. */
export function maskText(text: string): string {
  return `${Array.from(text.slice(0, 8))
    .slice(0, Math.min(4, text.length >> 2))
    .join('')}••••`;
}

/** Returns the length of the bank account number (IBAN) at the start of a text, including spaces, or 0 if there is no such number. */
function accountLength(text: string): number {
  const ends = Array.from(text.matchAll(/ |$/g), ({ index }) => index);
  return ends.find(end => hasCheckDigits(text.slice(0, end).replaceAll(' ', ''))) ?? 0;
}

/** Returns whether the check digits of an account number are valid (ISO 13616: mod 97 is 1). */
function hasCheckDigits(account: string): boolean {
  const digits = Array.from(account.slice(4) + account.slice(0, 4), character => Number.parseInt(character, 36));
  return account.length >= 15 && account.length <= 34 && BigInt(digits.join('')) % 97n === 1n;
}

/**
 * Returns whether digits, ungrouped or in regular groups, are a payment card number: a known issuer prefix, matching length and valid Luhn
 * sum.
 */
function isPaymentCard(text: string): boolean {
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
function looksRandom(token: string): boolean {
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
