import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { signalGroup } from '../../helpers/processGroup.mjs';

/** A running `npm start` for a work folder, with additional arguments. */
export class StartedByNpm {
  /** Output of the process so far. */
  output = '';
  private readonly child: ChildProcess;
  private readonly closed: Promise<number | null>;
  /** Leaders of the process groups that the process has reported. */
  private readonly groups = new Set<number>();

  constructor(
    readonly folder: string,
    args: readonly string[] = [],
  ) {
    // The IPC channel closes when this process ends, which ends the child. The child also reports its process groups over the channel.
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

  /** Returns the address that the process prints once it is ready. */
  async address(): Promise<string> {
    await until(() => this.output.includes('Ctrl-C ends everything') || !this.isRunning);
    return /^ {2}(http:\/\/127\.0\.0\.1:\S+)$/m.exec(this.output)?.[1] ?? assert.fail(`It printed no address:\n${this.output}`);
  }

  /** Resolves with the exit code after the process has ended by itself. */
  async ended(): Promise<number | null> {
    return await this.closed;
  }

  /** Ends the process as Ctrl-C does. Returns the exit code. */
  async ctrlC(): Promise<number | null> {
    this.child.kill('SIGINT');
    return await this.closed;
  }

  /** Kills the process and all its descendants without waiting, for the end of the test process. */
  kill(): void {
    for (const leader of this.isRunning ? [this.child.pid, ...this.groups] : this.groups) {
      signalGroup(leader, 'SIGKILL');
    }
  }

  /** Returns the process ids of the extension hosts that were started so far. */
  hosts(): number[] {
    const log = readFileSync(path.join(this.folder, 'browser/server.log'), 'utf8');
    return [...log.matchAll(/<(\d+)> Launched Extension Host Process/g)].map(([, id]) => Number(id));
  }

  /** Returns the command lines of all running descendants of the process. Works only on Linux. */
  processes(): string[] {
    return process.platform === 'linux' ? processesWith(`MANAGED_AGENTS_TEST_MARK=${this.folder}`) : [];
  }
}

/** Resolves once a condition is true. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await wait(50);
  }
}

/** Forwards a free port of this machine to `port`, like `ssh -L`. */
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

/** Returns a free port outside the range from which systems assign ports, so that the port stays free. */
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

/** Returns the command lines of the processes of this machine whose environment contains `text`. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const found = readFileSync(path.join('/proc', name, 'environ'), 'utf8').includes(text);
        return found ? [readFileSync(path.join('/proc', name, 'cmdline'), 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        // The process has just ended, or belongs to another user.
        return [];
      }
    });
}
