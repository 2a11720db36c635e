/**
 * A value as JSON for people, its secrets masked: the fields of the contract that carry one, and passwords in addresses.
 */
export function toMaskedJson(value: unknown): string {
  return `${JSON.stringify(value, mask, 2)}\n`;
}

/** A JSON value with the same secrets masked; the value itself where it has none. */
export function maskSecrets<T>(value: T): T {
  return mayHoldSecrets.test(JSON.stringify(value)) ? (JSON.parse(JSON.stringify(value, mask)) as T) : value;
}

function mask(name: string, value: unknown): unknown {
  const isToken = name === 'fallback_credit_token' && typeof value === 'object' && value !== null;
  if (isToken || (secretFields.test(name) && typeof value === 'string' && value !== '')) {
    return '[hidden]';
  }
  return typeof value === 'string' ? value.replace(/(:\/\/[^/\s:@]*:)[^/\s@]+@/g, '$1[hidden]@') : value;
}

const secretFields =
  /^(?:authorization_token|fallback_credit_token|access_token|refresh_token|api_key|client_secret|secret_value|password)$/i;
const mayHoldSecrets =
  /"(?:authorization_token|fallback_credit_token|access_token|refresh_token|api_key|client_secret|secret_value|password)"|:\/\/[^"/\s]*@/i;
