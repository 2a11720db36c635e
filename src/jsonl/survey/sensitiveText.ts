import type { SensitivePattern } from './fileSurvey';
import { accountLength, isBankAccount, isPaymentCard, looksRandom } from './sensitiveChecks';
import { trigger } from './textScan';

/** Sensitive part of a text, with UTF-16 offsets. */
export interface SensitiveMatch {
  readonly pattern: SensitivePattern;
  readonly start: number;
  readonly end: number;
}

interface PatternRule {
  readonly pattern: SensitivePattern;
  /** Triggers of a text without which the pattern can't match. */
  readonly trigger: number;
  /** Global expression. Repetitions are bounded and only start where no such character precedes, so that matching takes linear time. */
  readonly expression: RegExp;
  /** Returns whether a match counts. `value` is the first group or the whole match; `before` returns the text before it. */
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
    accepts: isBankAccount,
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
 * Finds secrets and personal data in a text, in text order. Of overlapping matches the first one wins. `triggers` are those that `TextScan`
 * found; without them every pattern is tried. Takes time linear in the length of the text.
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
  return findSensitive(text).filter(({ pattern }) => secretPatterns.has(pattern));
}

const secretPatterns: ReadonlySet<string> = new Set(['private-key', 'api-key', 'json-web-token', 'bearer-token', 'connection-string']);

/** Masks a sensitive text. Shows at most its first four characters and never more than a quarter. */
export function maskText(text: string): string {
  return `${Array.from(text.slice(0, 8))
    .slice(0, Math.min(4, text.length >> 2))
    .join('')}••••`;
}
