import { asArray, asString, type Finding, fieldOf, found, isObject, isSet, type Subject } from './finding';

const objectBeta = 'fallback-credit-2026-07-01';

/** Finds violations of the rules for fallback credits (contract, Fallback credit 2 to 5). */
export function* findCredit(subject: Subject): Iterable<Finding> {
  const { params, paramsPath, options } = subject;
  const { fallback_credit_token: credit, fallbacks } = params;
  if (!isSet(credit)) {
    return;
  }
  const path = [...paramsPath, 'fallback_credit_token'];
  yield found('credit-expires', path, 'A fallback credit expires before a batch ends. Remove it.');
  if (isSet(fallbacks)) {
    yield found('credit-with-fallbacks', path, "fallback_credit_token and fallbacks can't be combined. Remove one.");
  }
  if (isObject(credit) && options.betas !== undefined && !options.betas.includes(objectBeta)) {
    const text = 'The object form needs the beta {0}. Add it to the connection, or use the bare token.';
    yield found('credit-needs-beta', path, text, [objectBeta]);
  }
  yield* findExtendedForm(subject);
}

/** Finds fields that are not allowed in a body that ends with the partial text of a refused answer. */
function* findExtendedForm({ params, paramsPath }: Subject): Iterable<Finding> {
  const messages = asArray(params.messages);
  const last = messages.at(-1);
  if (fieldOf(last, 'role') !== 'assistant') {
    return;
  }
  const forbidden = "A fallback credit with a final assistant message can't be combined with {0}.";
  if (isSet(params.output_format)) {
    yield found('credit-extended-form', [...paramsPath, 'output_format'], forbidden, ['output_format']);
  }
  if (isSet(fieldOf(params.output_config, 'format'))) {
    yield found('credit-extended-form', [...paramsPath, 'output_config', 'format'], forbidden, ['output_config.format']);
  }
  const choice = fieldOf(params.tool_choice, 'type');
  if (choice === 'any' || choice === 'tool') {
    yield found('credit-extended-form', [...paramsPath, 'tool_choice'], forbidden, ['a forced tool_choice']);
  }
  const contentPath = [...paramsPath, 'messages', messages.length - 1, 'content'];
  const content = fieldOf(last, 'content');
  const lastBlock = asArray(content).findLastIndex(block => fieldOf(block, 'type') === 'text');
  const text = asString(content) ?? asString(fieldOf(asArray(content)[lastBlock], 'text'));
  if (text !== undefined && /\s$/.test(text)) {
    const path = typeof content === 'string' ? contentPath : [...contentPath, lastBlock, 'text'];
    yield found('credit-extended-form', path, "With a fallback credit, the final text can't end with whitespace.");
  }
}

/** Finds a `user_profile_id` that contradicts the profile the batch is attributed to (contract, Errors 4). */
export function* findUserProfile({ params, paramsPath, options: { userProfile } }: Subject): Iterable<Finding> {
  const profile = asString(params.user_profile_id);
  if (userProfile !== undefined && profile !== undefined && profile !== userProfile) {
    const text = "The connection's user profile is {0}. Remove this one, or use the same.";
    yield found('user-profile-conflict', [...paramsPath, 'user_profile_id'], text, [userProfile]);
  }
}
