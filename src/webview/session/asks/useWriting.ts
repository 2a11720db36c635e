import { useEffect, useRef } from 'preact/hooks';

/** Milliseconds after the last letter in which somebody is still writing. */
const pauseOfWriting = 1500;

/** Whether the user is writing into a field of this page: then a key that answers must not get under the fingers. */
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
