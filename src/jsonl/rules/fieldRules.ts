import { asArray, asString, type Finding, fieldOf, found, isSet, type Subject } from './finding';

/** Deprecated fields (contract, CreateMessageParams and Versioning 6) and what to do about each. */
const deprecatedFields: readonly (readonly [field: string, template: string])[] = [
  ['temperature', 'temperature is deprecated: newer models reject every value but 1. Remove it where you can.'],
  ['top_k', 'top_k is deprecated: newer models reject it. Remove it where you can.'],
  ['top_p', 'top_p is deprecated: newer models reject values below 0.99. Remove it where you can.'],
  ['output_format', 'output_format is deprecated. Use output_config.format instead.'],
];

/** `deprecated-field` and `output-format-twice`. */
export function* findDeprecatedFields({ params, paramsPath }: Subject): Iterable<Finding> {
  for (const [field, template] of deprecatedFields) {
    if (isSet(params[field]) && Object.hasOwn(params, field)) {
      yield found('deprecated-field', [...paramsPath, field], template, [], { atKey: true });
    }
  }
  if (isSet(params.output_format) && isSet(fieldOf(params.output_config, 'format'))) {
    const text = 'The format of the answer stands here and in output_config.format. Remove output_format.';
    yield found('output-format-twice', [...paramsPath, 'output_format'], text, [], { atKey: true });
  }
}

const mail = /[^\s@]@[^\s@]+\.[^\s@]/;
const phone = /^\+?[\d ()./-]+$/;

/** Whether an id looks like an e-mail address or a phone number. Digits alone are an id like any other. */
export function looksPersonal(id: string): boolean {
  const digits = id.replace(/\D/g, '').length;
  return mail.test(id) || (phone.test(id) && /\D/.test(id) && digits >= 7 && digits <= 15 && !/^\d{4}-\d\d-\d\d$/.test(id));
}

/** `personal-user-id` and `token-in-file`: what should not stand in a file that is sent and kept. */
export function* findSecrets({ params, paramsPath }: Subject): Iterable<Finding> {
  const userId = asString(fieldOf(params.metadata, 'user_id'));
  if (userId !== undefined && looksPersonal(userId)) {
    const text = 'user_id must be opaque: no names, e-mail addresses or phone numbers. Write an id of your own, such as a hash.';
    yield found('personal-user-id', [...paramsPath, 'metadata', 'user_id'], text);
  }
  for (const [index, server] of asArray(params.mcp_servers).entries()) {
    if (isSet(fieldOf(server, 'authorization_token'))) {
      const path = [...paramsPath, 'mcp_servers', index, 'authorization_token'];
      yield found('token-in-file', path, 'This is a secret in a file. Keep the file to yourself, and do not commit it.', [], {
        atKey: true,
      });
    }
  }
}
