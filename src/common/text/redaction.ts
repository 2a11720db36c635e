/**
 * Takes secrets out of a text for the log: values of authentication headers, API-key shapes, and fields that hold secrets,
 * `authorization_token` and `fallback_credit_token` of the contract among them.
 */
export function redact(text: string): string {
  let result = text;
  for (const [pattern, replacement] of rules) {
    result = result.replace(pattern, replacement);
  }
  return result;
}

const rules: readonly (readonly [RegExp, string])[] = [
  [/\b(authorization["']?\s*[:=]\s*["']?)((?:bearer|basic|digest|token)\s+)?[^\s"',;]+/gi, '$1$2[redacted]'],
  [/\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, '$1[redacted]'],
  [/\b(x-api-key["']?\s*[:=,]\s*["']?)[^\s"',;]+/gi, '$1[redacted]'],
  [/\b(proxy-authorization["']?\s*[:=,]\s*["']?)[^\s"';]+(\s+[^\s"';]+)?/gi, '$1[redacted]'],
  [
    /("(?:authorization_token|fallback_credit_token|access_token|refresh_token|token|api_key|client_secret|secret_value|password)"\s*:\s*")(?:[^"\\]|\\.)*"/gi,
    '$1[redacted]"',
  ],
  [/\bsk-[A-Za-z0-9_-]{6,}/g, '[redacted]'],
  [/(:\/\/[^/\s:@]+:)[^/\s@]+@/g, '$1[redacted]@'],
];
