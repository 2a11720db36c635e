// @ts-check
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { onExit } from '../helpers/onExit.mjs';

/** Maximum length of a socket's name, in characters. */
const longestName = 100;

/**
 * Makes sure that one process at a time uses a folder. The owner responds on a socket, so a killed process never blocks the folder.
 * @param {string} folder
 * @param {() => string} tell returns the text for other processes
 * @returns {Promise<{ readonly other: string | undefined, readonly release: () => void }>} `other` is the text of the process that already
 * uses the folder
 */
export async function takeFolder(folder, tell) {
  const name = socketOf(folder);
  const other = await ask(name);
  if (other !== undefined) {
    return { other, release: () => undefined };
  }
  const isFile = process.platform !== 'win32';
  if (isFile) {
    rmSync(name, { force: true });
  }
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy());
    socket.end(tell());
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(name, () => resolve(undefined));
  });
  const clean = () => {
    server.close();
    if (isFile) {
      rmSync(name, { force: true });
    }
  };
  const forget = onExit(clean);
  return {
    other: undefined,
    release: () => {
      forget();
      clean();
    },
  };
}

/** @param {string} folder */
function socketOf(folder) {
  const inside = path.join(folder, 'running.sock');
  if (process.platform !== 'win32' && inside.length <= longestName) {
    return inside;
  }
  const short = `managed-agents-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${short}` : path.join(os.tmpdir(), `${short}.sock`);
}

/**
 * Returns the response on a socket, or `undefined` without one.
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
function ask(name) {
  return new Promise(resolve => {
    let said = '';
    const socket = connect(name);
    socket.setEncoding('utf8').on('data', text => {
      said += text;
    });
    socket.once('end', () => resolve(said));
    socket.once('error', () => resolve(undefined));
  });
}
