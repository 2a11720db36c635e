import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';

/** Search pattern of the displayed timeline. */
export const Sought = createContext<RegExp | undefined>(undefined);

/** Returns the offset of the first search match in a text at or after `from`, or -1. */
export function useSoughtAt(text: string, from: number): number {
  const pattern = useContext(Sought);
  return useMemo(() => {
    const at = pattern === undefined || from >= text.length ? -1 : text.slice(from).search(pattern);
    return at === -1 ? -1 : at + from;
  }, [text, from, pattern]);
}
