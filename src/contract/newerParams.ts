/** Parameters of a message that the vendor's newer services know and the contract does not. */
export const newerParams: readonly string[] = ['billing_policy', 'compaction', 'thread'];
