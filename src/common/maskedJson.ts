/**
 * A value as JSON for people, its secrets masked: the fields of the contract that carry one, and passwords in addresses.
 */
export function toMaskedJson(value: unknown): string {
  return `${JSON.stringify(value, mask, 2)}\n`;
}

function mask(name: string, value: unknown): unknown {
  if (secretFields.test(name) && typeof value === 'string' && value !== '') {
    return '[hidden]';
  }
  return typeof value === 'string' ? value.replace(/(:\/\/[^/\s:@]*:)[^/\s@]+@/g, '$1[hidden]@') : value;
}

const secretFields =
  /^(?:authorization_token|fallback_credit_token|access_token|refresh_token|api_key|client_secret|secret_value|password)$/i;
