import { useContext, useState } from 'preact/hooks';
import { Sends } from './panelContext';

/** State of the last thing sent from here. */
export interface Sending {
  readonly state: 'none' | 'sending' | 'sent' | 'failed';
  /** Reason for the failure. `undefined` if the user cancelled. */
  readonly problem: string | undefined;
  /** Starts a send and returns its id. */
  readonly begin: () => string;
  readonly reset: () => void;
}

/** Tracks one send at a time by the host's replies. */
export function useSending(): Sending {
  const sendResults = useContext(Sends);
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

/** Returns an id that no other panel and no earlier load of this one has used. */
export function createClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), word => word.toString(36)).join('-');
}
