import { useEffect, useRef } from 'preact/hooks';

/** Time after the last key press in which the user counts as typing, in milliseconds. */
const pauseOfWriting = 1500;

/** Returns a function that says whether the user is typing into a field of this page. While typing, keys must not answer asks. */
export function useWriting(): () => boolean {
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const note = (): void => {
      last.current = performance.now();
    };
    window.addEventListener('input', note);
    return () => window.removeEventListener('input', note);
  }, []);
  return () => performance.now() - last.current < pauseOfWriting;
}
