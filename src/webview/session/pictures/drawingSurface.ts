import { useEffect, useState } from 'preact/hooks';

/** Tracks the width of an element in CSS pixels. */
export function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    setWidth(current.clientWidth);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Tracks the device pixel ratio, across zooming and screens. */
export function useScale(): number {
  const [scale, setScale] = useState(() => window.devicePixelRatio);
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${scale}dppx)`);
    const follow = (): void => setScale(window.devicePixelRatio);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [scale]);
  return scale;
}

/** Counts the changes of the colour theme, which VS Code sets on the page, and of forced colours. */
export function useThemeChanges(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const follow = (): void => setCount(before => before + 1);
    const observer = new MutationObserver(follow);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
    observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
    const queries = ['(forced-colors: active)', '(prefers-color-scheme: dark)'].map(query => window.matchMedia(query));
    for (const query of queries) {
      query.addEventListener('change', follow);
    }
    return () => {
      observer.disconnect();
      for (const query of queries) {
        query.removeEventListener('change', follow);
      }
    };
  }, []);
  return count;
}
