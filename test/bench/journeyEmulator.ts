// The emulator of the row `journey`: `npm run emulator` as it is, started with an IPC channel; any message asks for the highest
// memory it had, in bytes.
import '../../src/emulator/cli';

process.on('message', () => process.send?.({ type: 'memory', bytes: process.resourceUsage().maxRSS * 1024 }));
