import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';

/** `tls.getCACertificates` exists since Node 22.15, which is part of the oldest supported VS Code. The types lack it. */
interface WithSystemCertificates {
  getCACertificates(type: 'system'): string[];
}

export interface CertificateSources {
  /** Value of `http.systemCertificates`. */
  readonly useSystem: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with a message about each unreadable source. That source is skipped. */
  readonly warn: (message: string) => void;
}

/** Returns additional certificate authorities in PEM: those of the operating system and of `NODE_EXTRA_CA_CERTS`, without duplicates. */
export async function readCertificateAuthorities(sources: CertificateSources): Promise<readonly string[]> {
  const found = new Set<string>();
  if (sources.useSystem) {
    try {
      for (const certificate of (tls as unknown as WithSystemCertificates).getCACertificates('system')) {
        found.add(certificate.trim());
      }
    } catch (error) {
      sources.warn(`The system's certificates could not be read by Node: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const extra = sources.environment.NODE_EXTRA_CA_CERTS;
  if (extra !== undefined && extra !== '') {
    try {
      for (const certificate of splitPem(await readFile(extra, 'utf8'))) {
        found.add(certificate);
      }
    } catch (error) {
      sources.warn(
        `The certificates that NODE_EXTRA_CA_CERTS names could not be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`,
      );
    }
  }
  const builtIn = new Set(tls.rootCertificates.map(certificate => certificate.trim()));
  return [...found].filter(certificate => !builtIn.has(certificate));
}

/** Splits a PEM bundle into one string per certificate. Drops the text between them. */
export function splitPem(bundle: string): readonly string[] {
  return bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
