// The emulator of the row `journey`, the same as `npm run emulator`. It replies to any IPC message with its peak memory in bytes.
import '../start/emulatorCli';

process.on('message', () => process.send?.({ type: 'memory', bytes: process.resourceUsage().maxRSS * 1024 }));
