import { useEffect, useState } from 'preact/hooks';

/** Returns a monotonic clock in milliseconds, updated once a second while `isTicking` and the page is visible. */
export function useTicking(isTicking: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isTicking) {
      return undefined;
    }
    let timer: number | undefined;
    const follow = (): void => {
      window.clearInterval(timer);
      timer = undefined;
      if (!document.hidden) {
        setNow(performance.now());
        timer = window.setInterval(() => setNow(performance.now()), 1000);
      }
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, [isTicking]);
  return now;
}
