import type { ListSurroundings } from '../../../../src/features/resources/lists/resourceList';

/** What lists stand in where nobody looks at them: they ask for nothing by themselves. */
export const unlookedSurroundings: ListSurroundings = {
  reach: () => Promise.reject(new Error('not asked')),
  access: () => 'a',
  isShown: () => false,
  isFocused: () => true,
  includeArchived: () => false,
  warn: () => undefined,
  clock: { monotonic: () => 0 },
};
