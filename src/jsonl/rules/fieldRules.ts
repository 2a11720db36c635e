import { asArray, asString, type Finding, fieldOf, found, isSet, type Subject } from './finding';

/** Deprecated fields (contract, CreateMessageParams and Versioning 6), each with a message. */
const deprecatedFields: readonly (readonly [field: string, template: string])[] = [
  ['temperature', '"temperature" is deprecated: newer models reject every value but 1. Remove it where you can.'],
  ['top_k', '"top_k" is deprecated: newer models reject it. Remove it where you can.'],
  ['top_p', '"top_p" is deprecated: newer models reject values below 0.99. Remove it where you can.'],
  ['output_format', '"output_format" is deprecated. Use "output_config.format" instead.'],
];

/** Finds `deprecated-field` and `output-format-twice`. */
export function* findDeprecatedFields({ params, paramsPath }: Subject): Iterable<Finding> {
  for (const [field, template] of deprecatedFields) {
    if (isSet(params[field]) && Object.hasOwn(params, field)) {
      yield found('deprecated-field', [...paramsPath, field], template, [], { atKey: true });
    }
  }
  if (isSet(params.output_format) && isSet(fieldOf(params.output_config, 'format'))) {
    const text = 'Remove "output_format": "output_config.format" is set too.';
    yield found('output-format-twice', [...paramsPath, 'output_format'], text, [], { atKey: true });
  }
}

/** Top-level domain of an e-mail address. `pkg@1.2.3` is a version and has no such domain. */
const lastLabel = /^\p{L}{2,}(?:$|[^\p{L}\d_-])/u;
const phone = /^\+[\d ()./-]+$/;

/** Returns whether an id looks like an e-mail address, or like an international phone number: a plus and 7 to 15 digits. */
export function looksPersonal(id: string): boolean {
  return hasMail(id) || (phone.test(id) && /^[1-9]\d{6,14}$/.test(id.replace(/\D/g, '')));
}

/** Returns whether an id contains an @ with text before it, and after it labels separated by dots. At least one label must be a word. */
function hasMail(id: string): boolean {
  return id.split(/\s/).some(word => {
    const parts = word.split('@');
    return parts.slice(1).some((part, index) => {
      const [first, ...labels] = part.split('.');
      return parts[index] !== '' && labels.some((label, position) => (position > 0 || first !== '') && lastLabel.test(label));
    });
  });
}

/** Finds `personal-user-id` and `token-in-file`: data that should not be in a file that is sent and stored. */
export function* findSecrets({ params, paramsPath }: Subject): Iterable<Finding> {
  const userId = asString(fieldOf(params.metadata, 'user_id'));
  if (userId !== undefined && looksPersonal(userId)) {
    yield found('personal-user-id', [...paramsPath, 'metadata', 'user_id'], 'user_id must be opaque, such as a hash.');
  }
  for (const [index, server] of asArray(params.mcp_servers).entries()) {
    if (isSet(fieldOf(server, 'authorization_token'))) {
      const path = [...paramsPath, 'mcp_servers', index, 'authorization_token'];
      yield found('token-in-file', path, "This file contains a secret. Don't share or commit it.", [], {
        atKey: true,
      });
    }
  }
}
