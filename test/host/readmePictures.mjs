// @ts-check
// Writes the pictures of the README, media/readme/*.webp, from screenshots of a journey in a real VS Code:
//   node test/host/readmePictures.mjs           runs the journey, a minute or two
//   node test/host/readmePictures.mjs --taken   uses the screenshots of an earlier run, in out/screenshots
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureChromium, launchChromium } from './chromium.mjs';

/** Names of the README's pictures. Each is made from the screenshot `readme-NAME`. */
const pictures = ['problems', 'sheet', 'results', 'session'];

/** Frames of the animation, each with its duration in milliseconds. */
const frames = /** @type {const} */ ([
  ['file', 1500],
  ['sheet', 2500],
  ['running', 2000],
  ['answers', 4000],
]);

if (!process.argv.includes('--taken')) {
  const { status } = spawnSync(process.execPath, ['test/run.mjs', 'host', '--only', 'workbench/readmePictures'], {
    stdio: 'inherit',
    env: { ...process.env, TEST_PICTURES: 'yes' },
  });
  if (status !== 0) {
    process.exit(1);
  }
}
const home = mkdtempSync(path.join(os.tmpdir(), 'readme-'));
const browser = await launchChromium(await ensureChromium(process.execPath, line => console.log(line)), home);
try {
  const page = await browser.newPage();
  for (const name of pictures) {
    const { chunk } = await encode(page, name);
    write(name, toFile([chunk]));
  }
  const images = [];
  for (const [name, milliseconds] of frames) {
    images.push({ ...(await encode(page, name)), milliseconds });
  }
  write('answers', toAnimation(images));
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}

/**
 * @param {string} file
 * @param {Buffer} bytes
 */
function write(file, bytes) {
  writeFileSync(`media/readme/${file}.webp`, bytes);
  console.log(`media/readme/${file}.webp: ${bytes.length} bytes`);
}

/**
 * Encodes a screenshot with its 256 most frequent colors, which reduces the file to a quarter. Returns its chunk of image data, with its
 * size in pixels.
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function encode(page, name) {
  const png = readFileSync(`out/screenshots/readme-${name}.png`).toString('base64');
  const { data, width, height } = await page.evaluate(async source => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    if (context !== null) {
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, image.width, image.height);
      const colors = new Uint32Array(pixels.data.buffer);
      /** @type {Map<number, number>} */
      const counts = new Map();
      for (const color of colors) {
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      const most = [...counts]
        .sort(([, a], [, b]) => b - a)
        .slice(0, 256)
        .map(([color]) => color);
      const apart = (/** @type {number} */ a, /** @type {number} */ b) =>
        [0, 8, 16].reduce((sum, shift) => sum + (((a >> shift) & 0xff) - ((b >> shift) & 0xff)) ** 2, 0);
      const nearest = new Map(
        [...counts.keys()].map(color => [color, most.reduce((best, one) => (apart(one, color) < apart(best, color) ? one : best))]),
      );
      colors.forEach((color, index) => {
        colors[index] = nearest.get(color) ?? color;
      });
      context.putImageData(pixels, 0, 0);
    }
    // Quality 1 is lossless in Chromium.
    return { data: canvas.toDataURL('image/webp', 1), width: image.width, height: image.height };
  }, png);
  return { chunk: chunkOf(Buffer.from(data.slice(data.indexOf(',') + 1), 'base64'), name), width, height };
}

/**
 * Returns the `VP8L` chunk of a WebP file, with its header and padding.
 * @param {Buffer} file
 * @param {string} name
 */
function chunkOf(file, name) {
  for (let at = 12; at < file.length; ) {
    const length = 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2);
    if (file.toString('latin1', at, at + 4) === 'VP8L') {
      return file.subarray(at, at + length);
    }
    at += length;
  }
  throw new Error(`${name} was not encoded without loss.`);
}

/** @typedef {{ readonly chunk: Buffer, readonly width: number, readonly height: number }} Encoded */

/**
 * Joins frames of one size to an animation that repeats forever (WebP container: VP8X, ANIM, ANMF).
 * @param {readonly (Encoded & { readonly milliseconds: number })[]} images
 */
function toAnimation(images) {
  const [first] = images;
  if (first === undefined || images.some(({ width, height }) => width !== first.width || height !== first.height)) {
    throw new Error('The frames differ in size.');
  }
  const size = [...toBytes(first.width - 1, 3), ...toBytes(first.height - 1, 3)];
  return toFile([
    toChunk('VP8X', Buffer.from([0x02, 0, 0, 0, ...size])),
    toChunk('ANIM', Buffer.from([0, 0, 0, 0xff, 0, 0])),
    ...images.map(({ chunk, milliseconds }) => {
      // Header of the frame: at the top left corner, not blended, not disposed of.
      const head = Buffer.from([0, 0, 0, 0, 0, 0, ...size, ...toBytes(milliseconds, 3), 0x02]);
      return toChunk('ANMF', Buffer.concat([head, chunk]));
    }),
  ]);
}

/** @param {readonly Buffer[]} chunks */
function toFile(chunks) {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  return Buffer.concat([Buffer.from('RIFF'), Buffer.from(toBytes(body.length, 4)), body]);
}

/**
 * @param {string} type
 * @param {Buffer} payload
 */
function toChunk(type, payload) {
  return Buffer.concat([Buffer.from(type), Buffer.from(toBytes(payload.length, 4)), payload, Buffer.alloc(payload.length % 2)]);
}

/**
 * Returns a number in little-endian order.
 * @param {number} value
 * @param {number} count bytes
 */
function toBytes(value, count) {
  return Array.from({ length: count }, (_, index) => (value >>> (8 * index)) & 0xff);
}
