/** Kinds of change of a request between two runs, worst first. */
export const comparedKinds = ['regressed', 'fixed', 'changed', 'lost', 'added', 'same'] as const;
export type ComparedKind = (typeof comparedKinds)[number];
