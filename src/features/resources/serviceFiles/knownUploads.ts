import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import type { StreamedBody } from '../../../contract/streamedBody';

/** Maximum number of remembered uploads. The newest stay. */
const maxKnown = 500;
const stateKey = 'managedAgents.uploads';

/** Upload from this machine. */
export interface KnownUpload {
  readonly service: string;
  readonly sha256: string;
  readonly id: string;
  readonly name: string;
}

/** Remembers uploads from this machine by the hash of their content, to avoid uploading the same content twice. */
export class KnownUploads {
  constructor(private readonly state: Pick<Memento, 'get' | 'update'>) {}

  find(service: string, sha256: string): KnownUpload | undefined {
    return this.all().find(known => known.service === service && known.sha256 === sha256);
  }

  async add(upload: KnownUpload): Promise<void> {
    await this.state.update(stateKey, [upload, ...this.all().filter(({ id }) => id !== upload.id)].slice(0, maxKnown));
  }

  async forget(id: string): Promise<void> {
    await this.state.update(
      stateKey,
      this.all().filter(known => known.id !== id),
    );
  }

  private all(): readonly KnownUpload[] {
    const stored = this.state.get<unknown>(stateKey);
    return Array.isArray(stored) ? stored.filter(isKnownUpload) : [];
  }
}

/** Returns the SHA-256 of a body in hexadecimal digits. */
export async function hashOf(body: StreamedBody, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of body.open(signal)) {
    hash.update(piece);
  }
  return hash.digest('hex');
}

function isKnownUpload(value: unknown): value is KnownUpload {
  const { service, sha256, id, name } = (value ?? {}) as Partial<Record<keyof KnownUpload, unknown>>;
  return [service, sha256, id, name].every(text => typeof text === 'string');
}
