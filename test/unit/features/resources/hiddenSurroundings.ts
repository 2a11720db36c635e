import type { ListSurroundings } from '../../../../src/features/resources/lists/resourceList';

/** Surroundings of hidden lists. Hidden lists make no calls by themselves. */
export const hiddenSurroundings: ListSurroundings = {
  reach: () => Promise.reject(new Error('not asked')),
  access: () => 'a',
  isShown: () => false,
  isFocused: () => true,
  includeArchived: () => false,
  warn: () => undefined,
  clock: { monotonic: () => 0 },
};
