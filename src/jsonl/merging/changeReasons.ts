/**
 * Reasons to send a request: it is new, it has changed since it was sent, it was sent unchanged without success, or the sent content is
 * unknown.
 */
export const changeReasons = ['new', 'changed', 'failed', 'unknown'] as const;
export type ChangeReason = (typeof changeReasons)[number];
