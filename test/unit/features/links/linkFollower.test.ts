import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import type { Log } from '../../../../src/common/log';
import type { Connection } from '../../../../src/features/connection/connection';
import { LinkFollower, type LinksDependencies, toMissingQuestion, toOpenQuestion } from '../../../../src/features/links/linkFollower';
import { isLink, type Link, parseLink, printLink } from '../../../../src/features/links/linkForm';
import { anyCharacter } from '../../../helpers/anyCharacter';
import { runs } from '../../../helpers/runs';
import { fillPlaceholders } from '../requests/fillPlaceholders';

const at = (name: string, baseUrl: string) => ({ name, baseUrl, isEmulator: false }) as Connection;
const lab = at('Lab', 'https://a.example/base');

describe('features/links/linkFollower', () => {
  const { showWarningMessage, showInformationMessage } = vscode.window;
  const { executeCommand } = vscode.commands;
  const asked: { readonly message: unknown; readonly detail: unknown; readonly modal: unknown }[] = [];
  const ran: (readonly unknown[])[] = [];
  const shown: unknown[] = [];
  let answer: (button: string) => boolean | Promise<boolean>;
  let connections: readonly Connection[];
  let whenKnown: Promise<void>;
  let submissions: LinksDependencies['registry'];
  let follower: LinkFollower;

  const uri = (link: string) => vscode.Uri.parse(`vscode://managed-agents.managed-agents${link}`, true);
  const follow = (link: string) => follower.follow(uri(link));

  before('look at what is asked and run', () => {
    const ask = (async (...given: readonly unknown[]) => {
      const [message, options, ...buttons] = given as [string, vscode.MessageOptions?, ...string[]];
      if (typeof options !== 'object') {
        shown.push(message);
        return undefined;
      }
      asked.push({ message, detail: options.detail, modal: options.modal });
      for (const button of buttons) {
        if (await answer(button)) {
          return button;
        }
      }
      return undefined;
    }) as typeof showWarningMessage;
    const tell = (async (message: unknown) => void shown.push(message)) as typeof showInformationMessage;
    const run = (async (...given: readonly unknown[]) => void ran.push(given)) as typeof executeCommand;
    Object.assign(vscode.window, { showWarningMessage: ask, showInformationMessage: tell });
    Object.assign(vscode.commands, { executeCommand: run });
  });
  beforeEach(() => {
    for (const list of [asked, ran, shown]) {
      list.length = 0;
    }
    answer = button => button === 'Open';
    connections = [lab, at('Other', 'https://b.example')];
    whenKnown = Promise.resolve();
    submissions = { all: () => [], reload: async () => {}, findByBatch: () => undefined };
    follower = new LinkFollower({
      log: { warn: () => undefined } as unknown as Log,
      connections: {
        all: () => connections,
        get whenKnown() {
          return whenKnown;
        },
      },
      registry: {
        all: () => submissions.all(),
        reload: () => submissions.reload(),
        findByBatch: (...of) => submissions.findByBatch(...of),
      },
    });
  });
  after('ask and run again', () => {
    Object.assign(vscode.window, { showWarningMessage, showInformationMessage });
    Object.assign(vscode.commands, { executeCommand });
  });

  it('are opened at their targets, after the user agreed in a dialog that names the host', async () => {
    await follow('/session/sesn_1?connection=Lab&host=a.example&event=sevt_2');
    await follow('/batch/msgbatch_1?host=a.example');
    await follow('/agent/agent_1?host=b.example&version=3');
    assert.deepEqual(ran, [
      ['managedAgents.session.open', { connection: 'Lab', sessionId: 'sesn_1' }, 'sevt_2'],
      ['managedAgents.batch.open', { connection: 'Lab', batchId: 'msgbatch_1' }],
      ['managedAgents.open', { connection: 'Other', agentId: 'agent_1', version: 3 }],
    ]);
    assert.deepEqual(
      asked.map(({ message, modal }) => [message, modal]),
      [
        ['Open sesn_1 on a.example?', true],
        ['Open msgbatch_1 on a.example?', true],
        ['Open agent_1 on b.example?', true],
      ],
    );
  });

  it('open nothing until the user agreed', async () => {
    answer = () => false;
    await follow('/session/sesn_1?connection=Lab&host=a.example');
    assert.equal(asked.length, 1);
    assert.deepEqual(ran, []);
  });

  it('wait for connections in a window that was just opened for them', async () => {
    let known = () => {};
    whenKnown = new Promise(resolve => {
      known = resolve;
    });
    const ready = connections;
    connections = [];
    const following = follow('/session/sesn_1?connection=Lab&host=a.example');
    connections = ready;
    assert.equal(asked.length, 0);
    known();
    await following;
    assert.deepEqual(
      ran.map(([id]) => id),
      ['managedAgents.session.open'],
    );
  });

  it('never use a connection that only has the same name', async () => {
    answer = button => button === 'Add Connection...';
    await follow('/session/sesn_1?connection=Lab&host=evil.example');
    assert.equal(asked[0]?.message, 'No connection points to evil.example.');
    assert.match(String(asked[0]?.detail), /^Your connection "Lab" points to a\.example\. .*then open the link again\.$/);
    assert.deepEqual(ran, [['managedAgents.connection.add']]);
  });

  it('are rejected without a question when they are invalid', async () => {
    for (const link of [
      '/approve/sesn_1?host=a.example',
      '/session/sesn_1',
      '/session/..?host=a.example',
      '/batch/b?host=a.example&custom_id=%E2%80%AE',
    ]) {
      await follow(link);
    }
    assert.deepEqual([asked, ran], [[], []]);
    assert.equal(shown.length, 4);
    assert.doesNotMatch(shown.join(), /approve|sesn_1|a\.example/);
  });

  it('are opened in an untrusted workspace too, after a question, by the commands available there', async () => {
    Object.assign(vscode.workspace, { isTrusted: false });
    try {
      await follow('/batch/msgbatch_1?host=a.example');
    } finally {
      Object.assign(vscode.workspace, { isTrusted: true });
    }
    assert.equal(asked.length, 1);
    assert.deepEqual(ran, [['managedAgents.batch.open', { connection: 'Lab', batchId: 'msgbatch_1' }]]);
  });

  it('are handled one at a time, with a question about the first only', async () => {
    let decide = (_: boolean) => {};
    answer = () =>
      new Promise(resolve => {
        decide = resolve;
      });
    const first = follow('/session/sesn_1?host=a.example');
    await follow('/session/sesn_2?host=a.example');
    decide(true);
    await first;
    assert.equal(asked.length, 1);
    assert.deepEqual(ran, [['managedAgents.session.open', { connection: 'Lab', sessionId: 'sesn_1' }, undefined]]);
  });

  it('open nothing after the extension was deactivated', async () => {
    answer = () => {
      follower.dispose();
      return true;
    };
    await follow('/session/sesn_1?host=a.example');
    assert.deepEqual(ran, []);
  });

  it("show a batch whose results aren't available here, and say so", async () => {
    await follow('/batch/msgbatch_1?host=a.example&custom_id=r-1');
    assert.deepEqual(ran, [['managedAgents.batch.open', { connection: 'Lab', batchId: 'msgbatch_1' }]]);
    assert.deepEqual(shown, ['Fetch the results first.']);
  });

  it("keep every custom_id through VS Code's URI", () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('&', '=', '%', '+', '#', '?', '/', '%25'), anyCharacter),
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, text, (customId, connection) => {
        const link: Link = { kind: 'batch', id: 'b', host: '[::1]:8443', customId, connection };
        if (isLink(link)) {
          const parsed = uri(printLink(link));
          assert.deepEqual(parseLink(parsed), link);
          // VS Code converts the URI to text and parses the text again.
          assert.deepEqual(parseLink(vscode.Uri.parse(parsed.toString())), link);
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});

const labService = { name: 'Lab', baseUrl: 'https://a.example', isEmulator: false };

describe('features/links/linkPresentation', () => {
  it('names the target and the service', () => {
    assert.deepEqual(toOpenQuestion({ kind: 'session', id: 's', host: 'a.example', event: 'e' }, labService, fillPlaceholders), {
      message: 'Open s on a.example?',
      detail: 'Event: e\n\nThe link uses your connection "Lab".',
    });
    assert.equal(
      toOpenQuestion({ kind: 'agent', id: 'g', host: 'a.example', version: 2 }, labService, fillPlaceholders).message,
      'Open g on a.example?',
    );
  });

  it('names the host of the connection, not the one in the link', () => {
    const { message } = toOpenQuestion(
      { kind: 'batch', id: 'b', host: 'trusted.example', connection: 'Lab' },
      labService,
      fillPlaceholders,
    );
    assert.equal(message, 'Open b on a.example?');
  });

  it('shows the host of a connection with the same name', () => {
    const link = { kind: 'session', id: 's', host: 'evil.example', connection: 'Lab' } as const;
    assert.deepEqual(toMissingQuestion(link, labService, fillPlaceholders), {
      message: 'No connection points to evil.example.',
      detail: 'Your connection "Lab" points to a.example. Add a connection to evil.example if you trust it, then open the link again.',
    });
  });
});
