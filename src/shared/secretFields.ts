/** Fields of the contract whose values are secrets. */
export const contractSecrets = [
  'authorization_token',
  'fallback_credit_token',
  'access_token',
  'refresh_token',
  'api_key',
  'client_secret',
  'secret_value',
  'password',
];
/** Headers whose values are secrets, as the alternatives of a pattern. */
export const secretHeaders = '(?:proxy-)?authorization|(?:set-)?cookie|x-api-key';
/** Fields and headers whose values are secrets, as the alternatives of a pattern. */
export const secretFields = `${contractSecrets.join('|')}|${secretHeaders}`;

/** Password in an address. The groups match the text before and after the password, which stays unchanged. */
export const addressPassword = /(:\/\/[^/\s:@]*:)[^/\s@]+(@)/g;
