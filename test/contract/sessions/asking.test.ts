import assert from 'node:assert/strict';
import { readWholeLog } from '../../../src/features/sessions/facts/wholeLog';
import { answerText } from '../../../src/jsonl/results/resultWords';
import { citationsOf, parseFields, toRequestLine, transcriptOf } from '../../../src/shared/session/asking/sessionRequest';
import { maxTranscript, toTranscriptText } from '../../../src/shared/session/asking/transcriptText';
import { runs } from '../../helpers/runs';
import { startSessionService } from './startSessionService';

const sessions = runs(200, 60);
const faulty = new Set(Array.from({ length: Math.floor(sessions / 13) }, (_, at) => at * 13));
const secret = 'sk-ant-api03-secret-0123456789';

describe(`a question about ${sessions} sessions, ${faulty.size} of them with a fault`, () => {
  it('gets an answer for each session, with citations from its log, and sends no secret', async () => {
    const { emulator, client, start } = await startSessionService();
    try {
      const ids: string[] = [];
      for (let at = 0; at < sessions; at++) {
        const { data } = await client.sessions.create({ ...start, title: `Session ${at}` });
        const text = faulty.has(at) ? 'fail' : `Say hello ${at}. The key is ${secret}.`;
        await client.sessions.send(data.id, [{ type: 'user.message', content: [{ type: 'text', text }] }]);
        ids.push(data.id);
      }
      await emulator.advanceClock(0);
      const fields = parseFields('outcome: done | partly | failed, cause') ?? assert.fail();
      const found = await Promise.all(
        ids.map(async (id, at) => {
          const log = await readWholeLog(client.sessions.events(id), new AbortController().signal, () => undefined);
          const head = { id, connection: 'Lab', title: `Session ${at}`, agent: 'Researcher', state: 'idle' };
          const line = toRequestLine(id, toTranscriptText(head, log), { question: 'Why?', fields, model: 'vendor-sonnet-5' });
          assert.ok(!line.includes(secret));
          const { params } = JSON.parse(line);
          const answer = answerText({ message: (await client.messages.create(params)).data });
          const [citation] = citationsOf(answer, transcriptOf(JSON.stringify(params)));
          assert.ok(citation?.isFound, answer);
          assert.ok(
            log.some(event => event.id === citation.eventId),
            citation.eventId,
          );
          return JSON.parse(answer).outcome === 'failed' ? [at] : [];
        }),
      );
      assert.deepEqual(found.flat(), [...faulty]);
    } finally {
      await client.close();
      await emulator.stop();
    }
  });

  it('cuts a transcript of 60 pages to its limit', () => {
    const events = Array.from({ length: 6_000 }, (_, at) => ({
      id: `sevt_${at}`,
      type: at % 2 === 0 ? 'user.message' : 'agent.message',
      content: [{ type: 'text', text: `Message ${at} ${'with many words '.repeat(12)}` }],
    }));
    const text = toTranscriptText({ id: 's', connection: 'Lab', title: '', agent: '', state: '' }, events);
    assert.ok(text.length <= maxTranscript + 200, String(text.length));
    assert.ok(text.includes('[sevt_0] ') && text.includes('[sevt_5999] '));
  });
});
