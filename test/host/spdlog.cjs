// @ts-check
// Stands for VS Code's log writer, @vscode/spdlog.
const { appendFileSync, mkdirSync } = require('node:fs');
const path = require('node:path');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

exports.setFlushOn = () => {};

/**
 * @param {string} _name
 * @param {string} file
 */
exports.createAsyncRotatingLogger = async (_name, file) => {
  mkdirSync(path.dirname(file), { recursive: true });
  let least = levels.indexOf('info');
  let isPlain = false;
  const write = (/** @type {string} */ level, /** @type {string} */ text) => {
    if (levels.indexOf(level) >= least) {
      appendFileSync(file, isPlain ? text : `${new Date().toISOString().replace(/[TZ]/g, ' ')}[${level}] ${text}\n`);
    }
  };
  return {
    ...Object.fromEntries(levels.map(level => [level, (/** @type {string} */ text) => write(level, text)])),
    setLevel: (/** @type {number} */ level) => {
      least = level;
    },
    clearFormatters: () => {
      isPlain = true;
    },
    setPattern: () => {},
    flush: () => {},
    drop: () => {},
  };
};
