import { asArray, asString, type Finding, fieldOf, found, isSet, type Subject } from './finding';

/** Deprecated fields (contract, CreateMessageParams and Versioning 6), each with a message. */
const deprecatedFields: readonly (readonly [field: string, template: string])[] = [
  ['temperature', 'temperature is deprecated: newer models reject every value but 1. Remove it where you can.'],
  ['top_k', 'top_k is deprecated: newer models reject it. Remove it where you can.'],
  ['top_p', 'top_p is deprecated: newer models reject values below 0.99. Remove it where you can.'],
  ['output_format', 'output_format is deprecated. Use output_config.format instead.'],
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

/** Top-level domain of an e-mail address. `pkg@1.2.3` has none: it is a version. */
const lastLabel = /^\p{L}{2,}(?:$|[^\p{L}\d_-])/u;
const phone = /^\+?[\d ()./-]+$/;
const address = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Returns whether an id looks like an e-mail address, or like a phone number that starts with a plus or a zero. Order numbers, dates and IP
 * addresses don't.
 */
export function looksPersonal(id: string): boolean {
  return hasMail(id) || (phone.test(id) && looksLikePhone(id));
}

/** Returns whether an id contains an @ with text before it and labels separated by dots after it, at least one of them a word. */
function hasMail(id: string): boolean {
  return id.split(/\s/).some(word => {
    const parts = word.split('@');
    return parts.slice(1).some((part, index) => {
      const [first, ...labels] = part.split('.');
      return parts[index] !== '' && labels.some((label, position) => (position > 0 || first !== '') && lastLabel.test(label));
    });
  });
}

function looksLikePhone(id: string): boolean {
  const groups = id.split(/\D+/).filter(group => group !== '');
  const digits = groups.join('');
  const count = digits.length;
  const zeros = digits.startsWith('00') ? 2 : digits.startsWith('0') ? 1 : 0;
  if (id.startsWith('+') || zeros === 0 || digits[zeros] === '0') {
    return id.startsWith('+') && zeros === 0 && count >= 7 && count <= 15;
  }
  const first = groups[0]?.length ?? 0;
  if (groups.length === 1) {
    return zeros === 1 ? count >= 10 && count <= 12 : count >= 12 && count <= 15;
  }
  const isEven = groups.every(group => group.length === first);
  // Groups as in `06 12 34 56 78`, or an area code and the rest. Other numbers in equal groups are not phone numbers.
  const isGrouped = isEven && groups.length > 2 ? first === 2 && groups.length === 5 : first >= 3 && first <= 5;
  return isGrouped && count >= (zeros === 1 ? 9 : 11) && count <= 15 && !address.test(id);
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
