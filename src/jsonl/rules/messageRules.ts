import { asArray, type Finding, fieldOf, found, type Subject } from './finding';

/** Finds `no-messages`, `system-role` and `empty-content` for an empty list: messages that have a valid shape but make no sense. */
export function* findMessages({ params, paramsPath }: Subject): Iterable<Finding> {
  const { messages } = params;
  const path = [...paramsPath, 'messages'];
  if (Array.isArray(messages) && messages.length === 0) {
    yield found('no-messages', path, 'Add a user message to answer.');
  }
  for (const [index, message] of asArray(messages).entries()) {
    if (fieldOf(message, 'role') === 'system') {
      const text = 'Messages can\'t have the role "system". Move the text to the "system" field.';
      yield found('system-role', [...path, index, 'role'], text);
    }
    const content = fieldOf(message, 'content');
    if (Array.isArray(content) && content.length === 0) {
      const text = 'This message is empty. Add text, or remove the message.';
      yield found('empty-content', [...path, index, 'content'], text, [], { severity: 'warning' });
    }
  }
}

/** Finds `zero-max-tokens` and `stream-in-batch`: fields whose effect in a batch is surprising. */
export function* findPurpose({ params, paramsPath }: Subject): Iterable<Finding> {
  if (params.max_tokens === 0) {
    const text = 'With "max_tokens" 0 only the prompt cache is filled. Raise it to get an answer.';
    yield found('zero-max-tokens', [...paramsPath, 'max_tokens'], text);
  }
  if (params.stream === true) {
    const text = "Batches can't stream. Remove the field.";
    yield found('stream-in-batch', [...paramsPath, 'stream'], text);
  } else if (params.stream === false) {
    const text = "Batches can't stream. Remove the field.";
    yield found('stream-in-batch', [...paramsPath, 'stream'], text, [], { severity: 'hint' });
  }
}
