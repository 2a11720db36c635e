/** Reasons to send a request: new, changed since it was sent, sent without success, or unknown what was sent. */
export const changeReasons = ['new', 'changed', 'failed', 'unknown'] as const;
export type ChangeReason = (typeof changeReasons)[number];
