import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { signalGroup } from '../../helpers/processGroup.mjs';

/** One `npm start`, for the work folder and, when given, the port of a test. */
export class StartedByNpm {
  /** All that it printed. */
  output = '';
  private readonly child: ChildProcess;
  private readonly closed: Promise<number | null>;
  /** Leaders of the process groups that it reported. */
  private readonly groups = new Set<number>();

  constructor(
    readonly folder: string,
    args: readonly string[] = [],
  ) {
    // The channel ends it when this process ends, and tells of process groups, which the runner has to know of.
    this.child = spawn(process.execPath, ['test/start/start.mjs', ...args], {
      env: {
        ...process.env,
        VSCODE_HOST: 'code-server',
        CI: 'true',
        MANAGED_AGENTS_START_FOLDER: folder,
        MANAGED_AGENTS_TEST_MARK: folder,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.child.on('message', (message: { name: string; args: [number] }) => {
      process.send?.(message);
      const [leader] = message.args;
      if (message.name === 'groupStarted') {
        this.groups.add(leader);
      } else {
        this.groups.delete(leader);
      }
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.closed = once(this.child, 'close').then(([code]) => code as number | null);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The address that it prints, once it has said all that it says before it is used. */
  async address(): Promise<string> {
    await until(() => this.output.includes('Ctrl-C ends everything') || !this.isRunning);
    return /^ {2}(http:\/\/127\.0\.0\.1:\S+)$/m.exec(this.output)?.[1] ?? assert.fail(`It printed no address:\n${this.output}`);
  }

  /** Settles with its exit code when it has ended by itself. */
  async ended(): Promise<number | null> {
    return await this.closed;
  }

  /** Ends it as Ctrl-C does, and gives its exit code. */
  async ctrlC(): Promise<number | null> {
    this.child.kill('SIGINT');
    return await this.closed;
  }

  /** Ends it with all that it started, without a wait: for when this process has to end. */
  kill(): void {
    for (const leader of this.isRunning ? [this.child.pid, ...this.groups] : this.groups) {
      signalGroup(leader, 'SIGKILL');
    }
  }

  /** Process ids of the extension hosts it has started so far. */
  hosts(): number[] {
    const log = readFileSync(path.join(this.folder, 'browser/server.log'), 'utf8');
    return [...log.matchAll(/<(\d+)> Launched Extension Host Process/g)].map(([, id]) => Number(id));
  }

  /** Command lines of all processes it started that are still there; only Linux tells. */
  processes(): string[] {
    return process.platform === 'linux' ? processesWith(`MANAGED_AGENTS_TEST_MARK=${this.folder}`) : [];
  }
}

/** Settles when something has become true. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await wait(50);
  }
}

/** Forwards a port to another one, like `ssh -L`. */
export async function forwardTo(port: number): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}

/** A port that nobody has, and that no system gives out by itself, so that it is free later too. */
export async function freePort(): Promise<number> {
  for (let port = 10_000 + (process.pid % 20_000); ; port++) {
    const server = createServer();
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (isFree) {
      server.close();
      await once(server, 'close');
      return port;
    }
  }
}

/** Command lines of the processes of this machine whose environment holds `text`. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const found = readFileSync(path.join('/proc', name, 'environ'), 'utf8').includes(text);
        return found ? [readFileSync(path.join('/proc', name, 'cmdline'), 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        // It ended while it was looked at, or belongs to somebody else.
        return [];
      }
    });
}
