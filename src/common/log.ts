import type * as vscode from 'vscode';
import type { ClientLog } from '../client/clientOptions';
import { redact } from '../shared/redaction';

/** Log of the extension. Redacts every message, so keys and tokens never reach the output channel. */
export class Log implements ClientLog {
  private readonly keys = new Set<string>();

  constructor(private readonly channel: vscode.LogOutputChannel) {}

  /** Redacts a key in all later messages, in any encoding. */
  hide(key: string): void {
    this.keys.add(key);
  }

  debug(message: string): void {
    this.channel.debug(redact(message, this.keys));
  }

  info(message: string): void {
    this.channel.info(redact(message, this.keys));
  }

  warn(message: string): void {
    this.channel.warn(redact(message, this.keys));
  }

  /** Logs an error with its stack and the chain of its causes. */
  error(message: string, error?: unknown): void {
    this.channel.error(redact(error === undefined ? message : `${message}\n${describeChain(error)}`, this.keys));
  }

  show(): void {
    this.channel.show(true);
  }
}

function describeChain(error: unknown): string {
  const parts: string[] = [];
  let current: unknown = error;
  for (let depth = 0; current !== undefined && current !== null && depth < 8; depth++) {
    parts.push(current instanceof Error ? (current.stack ?? `${current.name}: ${current.message}`) : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join('\nCaused by: ');
}
