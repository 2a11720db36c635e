/** Names of fields and headers whose values are secrets, as the alternatives of a pattern. */
export const secretFields =
  'authorization_token|fallback_credit_token|access_token|refresh_token|api_key|client_secret|secret_value|password|' +
  '(?:proxy-)?authorization|(?:set-)?cookie|x-api-key';

/** Password in an address. The groups, before and after it, stay. */
export const addressPassword = /(:\/\/[^/\s:@]*:)[^/\s@]+(@)/g;
