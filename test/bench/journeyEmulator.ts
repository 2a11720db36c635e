// The emulator of the row `journey`: that of `npm run emulator`, with an IPC channel. Any message requests its peak memory in bytes.
import '../../src/emulator/cli';

process.on('message', () => process.send?.({ type: 'memory', bytes: process.resourceUsage().maxRSS * 1024 }));
