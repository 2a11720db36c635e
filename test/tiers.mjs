// @ts-check

/**
 * A tier of the suite: `test` for `npm test`, `rest` for the other tests of `.ci/run`, and `nightly` for all tests.
 * @typedef {'test' | 'rest' | 'nightly'} Tier
 */

const lastTag = (/** @type {string} */ tags) => `@(?:${tags})(?!.*@(?:smoke|ci|nightly))`;

/**
 * Returns the pattern of the full titles that a tier runs. The last tag in a test's full title decides. `@smoke` or no tag runs in `npm
 * test`, `@ci` in the rest of `.ci/run`, and `@nightly` only in the nightly run. A tag of a `describe` is the default of its tests.
 * @param {Tier} tier
 */
export function toTierPattern(tier) {
  return new RegExp({ test: `^(?!.*${lastTag('ci|nightly')})`, rest: lastTag('ci'), nightly: '' }[tier]);
}

/**
 * Returns the pattern of the full titles that run on the oldest supported VS Code. `.ci/run` runs tests with the tag `@floor`. The nightly
 * run runs all tests without the tag `@newest`.
 * @param {Tier} tier
 */
export function toFloorPattern(tier) {
  return tier === 'nightly' ? /^(?!.*@newest)/ : new RegExp(`^(?!.*${lastTag('nightly')}).*@floor`);
}

/**
 * Returns whether a test file can have tests of a tier. Other files need not be loaded.
 * @param {Tier} tier
 * @param {string} source
 */
export function canHoldTests(tier, source) {
  return tier !== 'rest' || source.includes('@ci');
}
