import { useEffect, useRef, useState } from 'preact/hooks';

/** Minimum interval between two computations, in milliseconds. A slow computation extends the interval. */
const minGap = 400;

/**
 * Returns the result of `compute`. Recomputes the result immediately when one of `inputs` changes, and soon after other renders, but never
 * so often that the panel slows down. For values derived from lists that change in place.
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
    // No input changed, but a list may have changed in place.
    if (!wasComputed && timer.current === undefined) {
      timer.current = setTimeout(
        () => {
          timer.current = undefined;
          isDue.current = true;
          draw(count => count + 1);
        },
        Math.max(0, at + Math.max(minGap, cost * 20) - performance.now()),
      );
    }
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return current.value;
}
