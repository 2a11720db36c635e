import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { watchHosts } from '../../host/extensionHosts.mjs';

describe('project/extensionHosts', () => {
  it('ends a host that waits for a window which disappeared', async () => {
    const server = { stdout: new PassThrough(), stderr: new PassThrough() };
    const hosts = watchHosts(server, 1);
    const host = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      await once(host, 'spawn');
      server.stdout.write(`[127.0.0.1][1][ExtensionHostConnection] <${host.pid}> Launched Extension Host Process.\n`);
      host.once('exit', (code, signal) => {
        server.stdout.write(`[127.0.0.1][1] <${host.pid}> Extension Host Process exited with code: ${code}, signal: ${signal}.\n`);
      });
      await hosts.allEnded();
    } finally {
      host.kill('SIGKILL');
    }
  });
});
