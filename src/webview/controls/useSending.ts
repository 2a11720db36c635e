import { useContext, useState } from 'preact/hooks';
import { Sends } from './panelContext';

/** State of the last send. If the send failed without a `problem`, the user cancelled it. */
export type Sending = ReturnType<typeof useSending>;

/** Tracks one send at a time by the host's replies. `start` returns the id of a new send. */
export function useSending() {
  const sendResults = useContext(Sends);
  const [clientId, setClientId] = useState<string>();
  const result = clientId === undefined ? undefined : sendResults.get(clientId);
  return {
    state: clientId === undefined ? 'none' : result === undefined ? 'sending' : result.ok ? 'sent' : 'failed',
    problem: result?.ok === false ? result.problem : undefined,
    start: () => {
      const id = createClientId();
      setClientId(id);
      return id;
    },
    reset: () => setClientId(undefined),
  } as const;
}

/** Returns an id that no other panel and no earlier load of this panel has used. */
export function createClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), word => word.toString(36)).join('-');
}
