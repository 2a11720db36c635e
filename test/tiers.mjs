// @ts-check

/**
 * A tier of the suite: `test` is what `npm test` runs, `rest` what `.ci/run` runs besides, and `nightly` everything.
 * @typedef {'test' | 'rest' | 'nightly'} Tier
 */

const lastTag = (/** @type {string} */ tags) => `@(?:${tags})(?!.*@(?:smoke|ci|nightly))`;

/**
 * Returns the pattern of the full titles that a tier runs. A test's tier is the last tag in its full title: `@smoke` (or no tag) runs in
 * `npm test`, `@ci` in the rest of `.ci/run`, and `@nightly` only in the nightly run. A tag of a `describe` is the default of its tests.
 * @param {Tier} tier
 */
export function toTierPattern(tier) {
  return new RegExp({ test: `^(?!.*${lastTag('ci|nightly')})`, rest: lastTag('ci'), nightly: '' }[tier]);
}

/**
 * Returns the pattern of the full titles that run on the oldest supported VS Code: those of `.ci/run` tagged `@floor`, and in the nightly
 * run all but those tagged `@newest`.
 * @param {Tier} tier
 */
export function toFloorPattern(tier) {
  return tier === 'nightly' ? /^(?!.*@newest)/ : new RegExp(`^(?!.*${lastTag('nightly')}).*@floor`);
}

/**
 * Returns whether a test file can hold tests of a tier, to spare loading the others.
 * @param {Tier} tier
 * @param {string} source
 */
export function canHoldTests(tier, source) {
  return tier !== 'rest' || source.includes('@ci');
}
