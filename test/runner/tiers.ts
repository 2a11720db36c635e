/** A tier of the suite: each runs the tests of the ones before it and its own. See CONTRIBUTING. */
export type Tier = 'test' | 'ci' | 'nightly';

const lastTag = (tags: string) => `@(?:${tags})(?!.*@(?:smoke|ci|nightly))`;

/**
 * Returns the pattern of the full titles that a tier runs. A test's tier is the last tag in its full title: `@smoke` (or no tag) runs in
 * every tier, `@ci` from `.ci/run` on, `@nightly` only in the nightly run. A tag of a `describe` is the default of its tests.
 */
export function toTierPattern(tier: Tier): RegExp {
  const excluded = { test: 'ci|nightly', ci: 'nightly', nightly: undefined }[tier];
  return new RegExp(excluded === undefined ? '' : `^(?!.*${lastTag(excluded)})`);
}
