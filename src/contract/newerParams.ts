/** Parameters of a message that newer services of the vendor accept but the contract does not define. */
export const newerParams: readonly string[] = ['billing_policy', 'compaction', 'thread'];
