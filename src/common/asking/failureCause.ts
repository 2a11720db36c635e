import type { ServiceErrorKind } from '../../client/transport/errors';

/** Returns the likely cause of a failed call: the API key, the connection (address, names, network), or something else. */
export function failureCauseOf(kind: ServiceErrorKind): 'key' | 'connection' | 'elsewhere' {
  switch (kind) {
    case 'authentication':
    case 'permission':
    case 'no_credential':
      return 'key';
    case 'dns':
    case 'connection_refused':
    case 'connect_timeout':
    case 'tls':
    case 'proxy':
    case 'redirect':
    case 'not_json':
    case 'insecure_http':
    case 'foreign_origin':
      return 'connection';
    default:
      return 'elsewhere';
  }
}
