import assert from 'node:assert/strict';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { toToolStatistics } from '../../../../../src/webview/session/pictures/toolStatistics';
import { recordedStream } from '../../../shared/session/recordings';

const call = (id: string, from: number, to: number | undefined, more: object = {}): readonly TranscriptEvent[] => [
  { type: 'agent.tool_use', id, name: 'bash', input: {}, processed_at: new Date(from).toISOString(), ...more },
  ...(to === undefined
    ? []
    : [{ type: 'agent.tool_result', id: `${id}r`, tool_use_id: id, is_error: id === 'bad', processed_at: new Date(to).toISOString() }]),
];

function statisticsOf(events: readonly TranscriptEvent[]) {
  const transcript = new Transcript();
  transcript.append(events);
  return toToolStatistics(transcript.rows, 'en');
}

describe('webview/session/pictures/toolStatistics', () => {
  it('counts calls by outcome, and measures those with times', () => {
    const [bash, ...others] = statisticsOf([
      ...call('a', 0, 100),
      ...call('b', 1000, 1300),
      ...call('bad', 2000, 2200),
      ...call('slow', 3000, 9000),
      ...call('no', 9100, undefined, { evaluated_permission: 'deny' }),
      ...call('open', 9200, undefined),
      ...call('c', 9300, 9400, { type: 'agent.mcp_tool_use', mcp_server_name: 'docs' }),
    ]);
    assert.deepEqual(bash, {
      tool: 'builtin',
      name: 'bash',
      calls: 6,
      failed: 1,
      denied: 1,
      open: 1,
      medianMs: 250,
      longestMs: 6000,
      longestKey: 'slow',
    });
    assert.deepEqual(
      others.map(({ tool, server, calls, medianMs }) => [tool, server, calls, medianMs]),
      [['mcp', 'docs', 1, 100]],
    );
  });

  it('lists the most used tool first, then by name in the order of the language', () => {
    const names = ['tool10', 'tool9', 'Zip', 'apply', 'zip'].map((name, index) => call(String(index), 0, undefined, { name }));
    const statistics = statisticsOf([...names, call('again', 0, undefined, { name: 'zip' })].flat());
    assert.deepEqual(
      statistics.map(({ name }) => name),
      ['zip', 'apply', 'tool9', 'tool10', 'Zip'],
    );
  });

  it('measures nothing in a session with times in whole seconds', () => {
    const statistics = statisticsOf(recordedStream('125-stream-tool-confirm.sse'));
    assert.deepEqual(
      statistics.map(({ name, calls, denied, medianMs, longestKey }) => [name, calls, denied, medianMs, longestKey]),
      [
        ['Bash', 2, 1, undefined, undefined],
        ['get_weather', 1, 0, undefined, undefined],
      ],
    );
  });

  it('is empty without calls', () => {
    assert.deepEqual(statisticsOf([]), []);
  });
});
