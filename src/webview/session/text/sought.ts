import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';

/** What is searched for in the timeline that is shown. */
export const Sought = createContext<RegExp | undefined>(undefined);

/** Where in a text, from a place on, stands what is searched for; -1 where it does not, or nothing is. */
export function useSoughtAt(text: string, from: number): number {
  const pattern = useContext(Sought);
  return useMemo(() => {
    const at = pattern === undefined || from >= text.length ? -1 : text.slice(from).search(pattern);
    return at === -1 ? -1 : at + from;
  }, [text, from, pattern]);
}
