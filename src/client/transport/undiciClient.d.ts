// The HTTP/1.1 client alone: undici's index would also install its global dispatcher, under the host's own `fetch`.
declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici';

  const client: typeof Client;
  export default client;
}
