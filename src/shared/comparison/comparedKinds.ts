/** What became of one request from the one run to the other: what is worse first, what is the same last. */
export const comparedKinds = ['regressed', 'fixed', 'changed', 'lost', 'added', 'same'] as const;
export type ComparedKind = (typeof comparedKinds)[number];
