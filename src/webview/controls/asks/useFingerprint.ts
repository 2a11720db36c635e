import { useEffect, useState } from 'preact/hooks';

/** Returns the SHA-256 of a text in hexadecimal; `undefined` until it is computed. */
export function useFingerprint(text: string): string | undefined {
  const [known, setKnown] = useState<{ readonly text: string; readonly hash: string }>();
  useEffect(() => {
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)).then(digest => {
      const hash = Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
      setKnown({ text, hash });
    });
  }, [text]);
  return known?.text === text ? known.hash : undefined;
}
