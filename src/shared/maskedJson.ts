import { shallow } from './shallow';

/**
 * A value as JSON for people, its secrets masked: the fields of the contract that carry one, and passwords in addresses. What lies
 * deeper than 200 levels is an ellipsis.
 */
export function toMaskedJson(value: unknown): string {
  return `${JSON.stringify(shallow(value), mask, 2)}\n`;
}

/** A JSON value with the same secrets masked, and cut at the same depth; the value itself where there is nothing of both. */
export function maskSecrets<T>(value: T): T {
  const told = shallow(value);
  return mayHoldSecrets.test(JSON.stringify(told)) ? (JSON.parse(JSON.stringify(told, mask)) as T) : told;
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
