import { useEffect, useRef, useState } from 'preact/hooks';

/** Least milliseconds between two computations; one that took long is given more. */
const leastGap = 400;

/**
 * What `compute` gives: at once, whenever one of `inputs` is another, and soon after later drawings, but never so often that it
 * would be felt. For what is made of lists that change in place.
 */
export function useSampled<T>(compute: () => T, inputs: readonly unknown[]): T {
  const [, draw] = useState(0);
  const held = useRef<{ readonly inputs: readonly unknown[]; readonly value: T; readonly at: number; readonly cost: number }>(undefined);
  const isDue = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  let { current } = held;
  const isFresh = current === undefined || inputs.some((input, index) => input !== current?.inputs[index]);
  if (current === undefined || isFresh || isDue.current) {
    const before = performance.now();
    const value = compute();
    const at = performance.now();
    current = { inputs, value, at, cost: at - before };
    held.current = current;
  }
  const wasComputed = isFresh || isDue.current;
  isDue.current = false;
  const { at, cost } = current;
  useEffect(() => {
    // Drawn again for another reason: something may have changed.
    if (!wasComputed && timer.current === undefined) {
      timer.current = setTimeout(
        () => {
          timer.current = undefined;
          isDue.current = true;
          draw(count => count + 1);
        },
        Math.max(0, at + Math.max(leastGap, cost * 20) - performance.now()),
      );
    }
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return current.value;
}
