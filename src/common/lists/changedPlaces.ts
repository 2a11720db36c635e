/**
 * The places at which a list holds something else than the one before it. Undefined where it is of another length, or something stands in
 * the place of what is not `isAlike`: then more changed than single ones.
 */
export function changedPlaces<T>(
  before: readonly T[],
  now: readonly T[],
  isAlike: (before: T, now: T) => boolean,
): readonly number[] | undefined {
  if (before.length !== now.length) {
    return undefined;
  }
  const places: number[] = [];
  for (const [place, one] of now.entries()) {
    const old = before[place];
    if (one !== old) {
      if (old === undefined || !isAlike(old, one)) {
        return undefined;
      }
      places.push(place);
    }
  }
  return places;
}
