// Only the HTTP/1.1 client: undici's index would also install its global dispatcher, which the host's own `fetch` uses.
declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici';

  const client: typeof Client;
  export default client;
}
