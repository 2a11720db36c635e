import { useState } from 'preact/hooks';
import type { SendResults } from '../panelContext';

/** What became of the last thing that was sent from here. */
export interface Sending {
  readonly state: 'none' | 'sending' | 'sent' | 'failed';
  /** In words why it failed; undefined when the user changed their mind. */
  readonly problem: string | undefined;
  /** Begins to send: gives the id to send with. */
  readonly begin: () => string;
  /** Forgets what was sent. */
  readonly reset: () => void;
}

/** Follows one sending at a time through the host's answers. */
export function useSending(sendResults: SendResults): Sending {
  const [clientId, setClientId] = useState<string>();
  const result = clientId === undefined ? undefined : sendResults.get(clientId);
  return {
    state: clientId === undefined ? 'none' : result === undefined ? 'sending' : result.ok ? 'sent' : 'failed',
    problem: result?.ok === false ? result.problem : undefined,
    begin: () => {
      const id = createClientId();
      setClientId(id);
      return id;
    },
    reset: () => setClientId(undefined),
  };
}

/** An id that no other panel and no earlier life of this one has used. */
export function createClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), word => word.toString(36)).join('-');
}
