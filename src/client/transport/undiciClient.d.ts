// Only the HTTP/1.1 client. undici's index would also install its global dispatcher, which the host's own `fetch` uses:
// https://github.com/nodejs/undici/issues/5500
declare module 'undici/lib/dispatcher/client.js' {
  import type { Client } from 'undici';

  const client: typeof Client;
  export default client;
}
