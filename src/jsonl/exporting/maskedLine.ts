/**
 * A JSON text with the secrets in it masked: the fields of the contract that carry one, and passwords in addresses.
 * All other characters stay as they are.
 */
export function maskLine(text: string): string {
  return mayHoldSecrets.test(text)
    ? text
        .replace(secretField, (_, field: string | undefined, token: string) => `${field ?? token}"[hidden]"`)
        .replace(password, '$1[hidden]@')
    : text;
}

const names = 'authorization_token|fallback_credit_token|access_token|refresh_token|api_key|client_secret|secret_value|password';
const mayHoldSecrets = new RegExp(`"(?:${names})"\\s*:|://[^"/\\s]*@`, 'i');
const secretField = new RegExp(
  `("(?:${names})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)+"|("fallback_credit_token"\\s*:\\s*)\\{(?:[^{}"]|"(?:[^"\\\\]|\\\\.)*")*\\}`,
  'gi',
);
const password = /(:\/\/[^/\s:@"]*:)[^/\s@"]+@/g;
