import * as z from 'zod';
import { ApiError, invalidRequest } from '../apiError';
import type { EmulatorClock } from '../clock';
import type { Exchange } from '../exchange';
import type { RequestLog } from '../requestLog';
import type { ScenarioStore } from '../scenarios';

const largestBody = 1024 * 1024;
const advanceSchema = z.strictObject({ advance: z.number().min(0) });

interface ControlParts {
  readonly scenarios: ScenarioStore;
  readonly clock: EmulatorClock;
  readonly log: RequestLog;
}

/**
 * What is under `/_emulator`, for tests and for people; never recorded, never faulty:
 * `GET`, `POST scenario` (parts of it), `GET`, `DELETE requests`, `GET clock`, `POST clock` with `{"advance": milliseconds}`,
 * which answers when every batch that fell due has ended.
 */
export async function handleControl(exchange: Exchange, { scenarios, clock, log }: ControlParts): Promise<void> {
  const what = `${exchange.request.method} ${exchange.path.slice('/_emulator/'.length)}`;
  switch (what) {
    case 'GET scenario':
      break;
    case 'POST scenario':
      scenarios.change(await exchange.json(largestBody));
      break;
    case 'GET requests':
      return exchange.sendJson({ requests: log.requests });
    case 'DELETE requests':
      log.clear();
      return exchange.sendJson({ requests: [] });
    case 'GET clock':
      return exchange.sendJson({ now: new Date(clock.now()).toISOString() });
    case 'POST clock': {
      const parsed = advanceSchema.safeParse(await exchange.json(largestBody));
      if (!parsed.success) {
        throw invalidRequest('advance: must be a number of milliseconds, 0 or more');
      }
      await clock.advance(parsed.data.advance);
      return exchange.sendJson({ now: new Date(clock.now()).toISOString() });
    }
    default:
      throw new ApiError('not_found_error', 'Not found');
  }
  await exchange.sendJson(scenarios.current);
}
