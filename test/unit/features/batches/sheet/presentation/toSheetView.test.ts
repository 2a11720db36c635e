import assert from 'node:assert/strict';
import { isReady, limitOf, type SheetFacts } from '../../../../../../src/features/batches/sheet/presentation/sheetFacts';
import { toSheetView } from '../../../../../../src/features/batches/sheet/presentation/toSheetView';
import type { SheetLink } from '../../../../../../src/shared/sheet/sheetProtocol';
import { fieldOf } from '../../../../../helpers/fieldOf';
import {
  context,
  earlier,
  facts,
  outgoingOf,
  pastRun,
  prices,
  problem,
  report,
  reportOf,
  selectedFrom,
  survey,
  textsOf,
} from '../sheetUnderTest';

const view = (change: Partial<SheetFacts> = {}) =>
  toSheetView({ ...facts, outgoing: outgoingOf(change.report ?? report), ...change }, context);
const selected = selectedFrom(3, 40, 90_000);
const someOfFile = { outgoing: { requestCount: 40, bodyBytes: 90_000, models: selected.models, selected, parts: undefined } };
const top = (change: Partial<SheetFacts> = {}) => textsOf(view(change).top);
const acts = (links: readonly SheetLink[] | undefined) => links?.map(({ act }) => act.type);
const details = (id: string, change: Partial<SheetFacts> = {}) => textsOf(view(change).details.find(each => each.id === id));

describe('features/batches/sheet/presentation/toSheetView', () => {
  it('summarizes destination, cost and problems in three lines', () => {
    const notes = view().top.flatMap(block => (block.kind === 'note' || block.kind === 'prices' ? [block.text] : []));
    assert.deepEqual(notes, ['412 requests to agents.example.com, 2 models', 'Set prices to see the cost', 'No problems found']);
    assert.match(top({ report: { ...report, requestCount: 1, models: [['m', 1]] } }), /^1 request to agents\.example\.com, 1 model$/m);
    assert.match(top({ connection: undefined }), /^412 requests, 2 models$/m);
  });

  it("shows the file's facts in the details", () => {
    const text = details('what');
    for (const part of [
      'Lab, on agents.example.com',
      'support-tickets.jsonl (saved version)',
      '3f786850e387550f…',
      '1.2 MB (1,234,567 bytes)',
      'vendor-sonnet-5 (400), vendor-haiku-4-5 (12)',
    ]) {
      assert.ok(text.includes(part), `${part} is not in:\n${text}`);
    }
    assert.match(details('what', { fromEditor: true }), /with unsaved changes/);
    assert.match(details('what', { report: { ...report, bareCount: 5 } }), /Without a custom_id: 5/);
    assert.match(details('what', { folder: '/ws/b' }), /Folder\n\/ws\/b/);
    assert.doesNotMatch(details('what', { folder: undefined }), /Folder/);
    assert.match(details('what'), /User profile\s+none/);
    const of = view({ connection: { name: 'Lab', host: 'agents.example.com', userProfileId: 'profile_1' } });
    const [facts1] = of.details.find(({ id }) => id === 'what')?.blocks ?? [];
    const row = facts1?.kind === 'facts' ? facts1.rows.find(({ name }) => name === 'User profile') : undefined;
    assert.deepEqual([row?.value, row?.links?.[0]?.act], ['profile_1', { type: 'setUserProfile' }]);
    assert.match(details('what', { connection: undefined }), /^Connection\nnone$/m);
    const models = Array.from({ length: 8 }, (_, index) => [`m${index}`, 8 - index] as const);
    assert.match(details('what', { report: { ...report, models } }), /m4 \(4\) and 3 more/);
  });

  it("shows the last runs' durations in the details, beside the estimate", () => {
    const text = details('runs', { prices, pastRuns: [pastRun] });
    assert.match(text, /^May 4, 2026, .*\n412 requests · cost \$1\.20 · estimated \$0\.40 to \$3\.00 · took 12 min$/m);
    const [running] = pastRun.submissions.map(one => ({ ...one, batch: undefined }));
    const noTime = details('runs', { pastRuns: [{ ...pastRun, submissions: running ? [running] : [] }] });
    assert.match(noTime, /^412 requests · 1\.2M → 84K tokens$/m);
  });

  it('shows the number of requests on the send button', () => {
    assert.deepEqual(view().foot.create, { label: 'Send 412 Requests', isDisabled: false });
    assert.equal(view({ report: { ...report, requestCount: 1 } }).foot.create?.label, 'Send 1 Request');
    assert.equal(view({ repeats: [earlier] }).foot.create?.label, 'Send 412 Requests Again');
  });

  it('offers nothing without a choice, or if the service has no batches, and says so', () => {
    const nothing = { choice: undefined, outgoing: undefined };
    assert.equal(view(nothing).foot.create, undefined);
    assert.equal(isReady({ ...facts, ...nothing }), false);
    const { foot } = view({ hasNoBatches: true });
    assert.equal(foot.create, undefined);
    assert.deepEqual([foot.status.tone, foot.status.text], ['error', "Lab doesn't support batches. Choose another connection."]);
    assert.equal(isReady({ ...facts, hasNoBatches: true }), false);
  });

  it('links to the requests of a local file as a table, whatever is wrong with them', () => {
    const table = { label: 'Show as Table', act: { type: 'showTable' } };
    assert.deepEqual(view().foot.table, table);
    assert.deepEqual(view({ report: { ...report, problemCounts: { error: 1, warning: 0, information: 0, hint: 0 } } }).foot.table, table);
    assert.equal(view({ folder: undefined }).foot.table, undefined);
    const wrong = { ...report, invalidCount: 412 };
    assert.equal(view({ isForeign: true, report: wrong }).foot.table, undefined, 'none of its lines is a request');
    assert.equal(view({ report: undefined }).foot.table, undefined);
    assert.equal(view({ report: { ...report, requestCount: 0 } }).foot.table, undefined);
  });

  it('offers no buttons while the file is checked or sent, or after the check is outdated', () => {
    for (const change of [{ isChecking: true }, { isSending: true }, { changes: ['The file was changed on disk.'] }]) {
      assert.equal(view(change).foot.create?.isDisabled, true);
    }
    const stale = view({ changes: ['The file was changed on disk.', 'The connection B has changed. Check again.'] });
    assert.equal(stale.foot.status.text, 'The file was changed on disk. The connection B has changed. Check again.');
    assert.deepEqual(acts(stale.foot.status.links), ['checkAgain']);
    assert.equal(stale.spoken, stale.foot.status.text);
  });

  it('names the rule if its problems differ', () => {
    const other = { template: 'Unclosed {', args: [] };
    const report = reportOf(problem('json-syntax', 'error'), problem('json-syntax', 'error', { text: other }));
    const list = view({ report }).top.find(({ kind }) => kind === 'list');
    assert.deepEqual(list?.kind === 'list' && list.items.map(({ text, detail }) => [text, detail]), [
      ['Broken JSON (2 times)', 'Something of json-syntax is wrong.'],
    ]);
  });

  it('shows problems by rule, worst first, with counts, first lines and actions', () => {
    const wrong = reportOf(
      problem('unknown-field', 'error', { path: ['custom_id'] }),
      problem('a', 'hint'),
      problem('no-messages', 'warning'),
      problem('a', 'hint'),
    );
    const blocks = view({ report: wrong }).top;
    const note = blocks.find(block => block.kind === 'note' && block.tone === 'error');
    assert.ok(note?.kind === 'note');
    assert.equal(note.text, '1 error, 1 warning, 2 hints');
    assert.deepEqual(acts(note.links), ['fix', 'showProblems']);
    const list = blocks.find(({ kind }) => kind === 'list');
    assert.ok(list?.kind === 'list');
    assert.deepEqual(
      list.items.map(({ tone, text, detail, links }) => [tone, text, detail, links?.[0]?.label]),
      [
        ['error', 'Something of unknown-field is wrong.', 'unknown-field', 'Line 12'],
        ['warning', 'Something of no-messages is wrong.', 'no-messages', 'Line 12'],
        ['plain', 'Something of a is wrong. (2 times)', 'a', 'Line 12'],
      ],
    );
    assert.deepEqual(list.items[0]?.links?.[0]?.act, { type: 'openPlace', line: 11, start: 4, end: 9 });
  });

  it('collapses the rules of a file without errors, and offers no fix if no listed problem has one', () => {
    const listOf = (...severities: readonly ('error' | 'warning')[]) => {
      const list = view({ report: reportOf(...severities.map((severity, at) => problem(`r${at}`, severity))) }).top.find(
        ({ kind }) => kind === 'list',
      );
      return list?.kind === 'list' ? list.folded?.shown : undefined;
    };
    assert.equal(listOf('warning', 'warning'), 0);
    assert.equal(listOf('error', 'warning'), undefined);
    assert.equal(listOf('error', 'warning', 'warning', 'warning'), 3);
    assert.doesNotMatch(top({ report: reportOf(problem('no-requests', 'error')) }), /^fix$/m);
    assert.match(top({ report: reportOf(problem('duplicate-id', 'error')) }), /^fix$/m);
  });

  it('says that all requests may be refused, and emphasizes the fix instead of the send button', () => {
    const refused = { ...reportOf(problem('prefill', 'warning')), refusedCount: 412 };
    const { foot } = view({ report: refused });
    assert.match(top({ report: refused }), /^1 warning\. Requests that the service may reject: 412 of 412\.$/m);
    assert.deepEqual(foot.create, { label: 'Send 412 Requests Anyway', isDisabled: false, isDoubtful: true });
    assert.equal(foot.fix?.act.type, 'fix');
    assert.match(top({ report: { ...refused, requestCount: 1, refusedCount: 1 } }), /Requests that the service may reject: 1 of 1\./);
    const some = { ...reportOf(problem('stream-in-batch', 'warning')), refusedCount: 3 };
    assert.match(top({ report: some }), /Requests that the service may reject: 3 of 412\./);
    assert.equal(view({ report: some }).foot.create?.isDoubtful, undefined);
  });

  it('lists the batches that a file over the limits needs, once, and sends them together', () => {
    const limits = { maxRequests: 300, maxBytes: 1e9 };
    const outgoing = { ...outgoingOf(report), parts: [selectedFrom(0, 300, 1_200_000), selectedFrom(300, 112, 34_567)] };
    const tooMany = problem('too-many-requests', 'error', { path: [] });
    const large = { limits, outgoing, report: reportOf(tooMany) };
    const text = top(large);
    assert.match(text, /Sent as 2 batches of at most 300 requests, shown as one\./);
    assert.match(text, /No other problems/);
    assert.doesNotMatch(top({ ...large, report: reportOf(tooMany, problem('no-messages', 'warning')) }), /too-many-requests/);
    assert.equal(view(large).foot.create?.label, 'Send 412 Requests');
    assert.doesNotMatch(top({ ...large, choice: 'retry' }), /Split into Files/);
    const part = { index: 1, isWaiting: false };
    const sending = view({ ...large, isSending: true, sending: { share: 0.4, ...part } }).foot.status;
    assert.deepEqual([sending.text, sending.share], ['Part 2 of 2: sending to Lab…', 0.4]);
    const waiting = view({ ...large, isSending: true, sending: { share: 0.6, ...part, isWaiting: true } }).foot.status;
    assert.equal(waiting.text, 'Part 2 of 2: waiting for Lab…');
    const none = view({ limits, outgoing: { ...outgoing, parts: [] } });
    assert.equal(none.foot.create, undefined);
    assert.match(none.foot.status.text, /One request exceeds the limits of a batch/);
  });

  it('names the rules whose severity the folder raised', () => {
    const found = reportOf(problem('deprecated-field', 'error'), problem('missing-field', 'error'));
    const words = (folderRules: readonly string[]) => top({ report: found, folderRules });
    assert.match(words(['deprecated-field', 'blank-line']), /This folder's settings raise the severity of deprecated-field\./);
    assert.doesNotMatch(words([]), /This folder's settings/);
  });

  it('offers a conversion for a file in another format, without fixes or tokens', () => {
    const wrong = reportOf(problem('unknown-field', 'error', { path: ['method'] }), problem('missing-field', 'error', { path: [] }));
    const foreign = view({ isForeign: true, report: wrong, survey: { name: 'none' } });
    assert.deepEqual(fieldOf(foreign.details, 'id'), ['what']);
    const acts = foreign.top.find(({ kind }) => kind === 'acts');
    assert.deepEqual(acts, { kind: 'acts', links: [{ label: 'Convert...', act: { type: 'convert' } }], isMain: true });
    assert.equal(foreign.foot.create, undefined);
    assert.deepEqual([foreign.foot.status.tone, foreign.foot.status.text], ['error', 'The file is in another format. Convert it first.']);
    assert.doesNotMatch(textsOf(foreign.details), /Requests|Body/);
    // After a check, a file of another format has no next step either.
    assert.equal(view({ isToSend: false, isForeign: true, report: wrong }).foot.leadOn, undefined);
    // A file that can be sent unchanged needs no conversion.
    assert.ok(view({ isForeign: true }).foot.create !== undefined);
  });

  it('shows how much was sent, and offers to stop', () => {
    const { status } = view({ isSending: true, sending: { share: 0.25, index: 0, isWaiting: false } }).foot;
    assert.deepEqual([status.text, status.share], ['Sending 1.2 MB to Lab', 0.25]);
    assert.deepEqual(status.links, [{ label: 'Cancel', name: 'Cancel sending', act: { type: 'stopSending' } }]);
    const sent = view({ isSending: true, sending: { share: 1, index: 0, isWaiting: true } }).foot.status;
    assert.deepEqual([sent.text, sent.share], ['Waiting for Lab…', undefined]);
    assert.deepEqual(sent.links, status.links);
    assert.equal(view({ isSending: true }).foot.status.links, undefined);
  });

  it("says beside the send button that secrets weren't checked", () => {
    assert.match(view({ survey: { name: 'stopped' } }).foot.status.text, /Secrets weren.t checked/);
    assert.match(view({ survey: { name: 'failed', problem: 'It broke' } }).foot.status.text, /It broke\. Secrets weren.t checked/);
  });

  it('has no send button with certain errors, and says why', () => {
    const certain = view({ report: reportOf(problem('json-syntax', 'error', { path: [] })) });
    assert.equal(certain.foot.create, undefined);
    assert.deepEqual(certain.foot.status, { tone: 'error', text: 'Errors: 1. Fix them first.' });
    const empty = view({ report: { ...reportOf(problem('no-requests', 'error', { path: [] })), requestCount: 0 } });
    assert.match(empty.foot.status.text, /The file has no requests/);
    // A setting hides these problems, but the lines still can't be sent.
    const silenced = view({ report: { ...report, invalidCount: 2 } });
    assert.equal(silenced.foot.create, undefined);
    assert.match(silenced.foot.status.text, /Errors: 2\. Fix them first/);
    const unjoinable = view({ report: { ...report, unjoinableCount: 2 } });
    assert.equal(unjoinable.foot.create, undefined);
    assert.match(unjoinable.foot.status.text, /Requests without a unique custom_id: 2/);
  });

  it('links to the fixes of errors or to the first error, and has no link without errors', () => {
    const fixOf = (change: Partial<SheetFacts>) => view(change).foot.fix;
    const place = { type: 'openPlace', line: 11, start: 4, end: 9 };
    assert.deepEqual(fixOf({ report: reportOf(problem('not-a-request', 'error', { path: [] })) }), { label: 'Go to Line 12', act: place });
    assert.deepEqual(fixOf({ report: reportOf(problem('unknown-field', 'error')) }), { label: 'Fix...', act: { type: 'fix' } });
    assert.equal(fixOf({ report: reportOf(problem('unknown-field', 'warning')) }), undefined);
    assert.equal(fixOf({ report: reportOf(problem('too-many-requests', 'error')) }), undefined);
    assert.equal(fixOf({ isForeign: true, report: reportOf(problem('unknown-field', 'error', { path: ['method'] })) }), undefined);
  });

  it("links to no line if the lines aren't those of the file", () => {
    const change = { hasLines: false, report: reportOf(problem('not-a-request', 'error', { path: [] })) };
    assert.doesNotMatch(textsOf(view(change)), /Line 12/);
    assert.match(textsOf(view({ ...change, hasLines: true })), /Line 12/);
  });

  it('lets the user send anyway if only the service can decide', () => {
    const lax = view({ report: reportOf(problem('number-out-of-range', 'error')) });
    assert.equal(lax.foot.create?.label, 'Send 412 Requests Anyway');
    assert.match(textsOf(lax.top), /The service may reject the batch/);
  });

  it('lists earlier submissions, each other file once, and links to the log of unknown ones', () => {
    const link = { ...earlier, source: 'file:///link.jsonl' };
    const repeats = [link, { ...link, id: 'two', batchId: 'msgbatch_6' }, { ...earlier, id: 'own' }];
    const text = top({ repeats });
    assert.equal(text.match(/The same requests were sent as link\.jsonl/g)?.length, 1);
    assert.match(text, /Already sent as msgbatch_7.* You'll be charged again\./);
    assert.match(top({ repeats: [{ ...earlier, state: 'unknown' }] }), /Show Submission Log/);
    assert.match(top({ ...someOfFile, repeats: [earlier] }), /Requests already sent as msgbatch_7, .*: 412\./);
    const sending = view({ repeats: [{ ...earlier, state: 'sending' }] });
    assert.equal(sending.foot.create, undefined);
    assert.match(sending.foot.status.text, /Another window is sending/);
  });

  it('shows and estimates only the chosen requests', () => {
    const chosen = view({ ...someOfFile, choice: 'changed' });
    assert.match(textsOf(chosen.top), /^40 requests to agents\.example\.com, 1 model$/m);
    assert.match(details('what', someOfFile), /40 of 412[\s\S]*90 KB \(90,000 bytes\)[\s\S]*vendor-sonnet-5 \(40\)/);
    const unsurveyed = view({ ...someOfFile, choice: 'trial', survey: { name: 'none' } });
    const tokens = unsurveyed.details.find(({ id }) => id === 'tokens')?.blocks.find(({ kind }) => kind === 'table');
    assert.deepEqual(tokens?.kind === 'table' && tokens.rows.map(([model, requests]) => [model, requests]), [['vendor-sonnet-5', '40']]);
    assert.ok(
      chosen.details.every(({ id }) => id !== 'prefixes'),
      'marking them would change the file',
    );
    assert.equal(chosen.foot.create?.label, 'Send 40 Requests');
  });

  it('warns of secrets in the file, masked and with their lines', () => {
    const place = { line: 3, start: 10, end: 40, masked: 'sk-l…' };
    const found = {
      ...survey,
      findings: [
        { pattern: 'e-mail', kind: 'personal', count: 12, ranges: [place] },
        { pattern: 'api-key', kind: 'secret', count: 2, ranges: [place, place] },
      ],
    } as const;
    const change = { survey: { name: 'done', survey: found } } as const;
    const { foot, spoken } = view(change);
    const text = details('sensitive', change);
    assert.ok(text.indexOf('Secret, API key: 2') < text.indexOf('Personal data, email address: 12'), text);
    assert.match(text, /sk-l…/);
    assert.match(top(change), /This file contains secrets\./);
    assert.match(spoken, /Secrets found: 2/);
    assert.ok(foot.create !== undefined);
  });

  it('has no send button for a check, but a button that switches to sending', () => {
    const { foot, top: blocks } = view({ isToSend: false, repeats: [earlier] });
    assert.equal(foot.create, undefined);
    assert.equal(foot.leadOn?.act.type, 'leadOn');
    assert.doesNotMatch(textsOf(blocks), /already sent/);
  });

  it('shows the progress of the survey or a count, and offers to stop and restart the survey', () => {
    const running = view({ survey: { name: 'running', share: 0.4 } }).foot.status;
    assert.equal(running.share, 0.4);
    assert.deepEqual(acts(running.links), ['stopEstimate']);
    assert.deepEqual(acts(view({ survey: { name: 'stopped' } }).foot.status.links), ['startEstimate']);
    const { foot, isBusy } = view({ count: { name: 'running', share: 0.25 } });
    assert.deepEqual([isBusy, foot.status.share, acts(foot.status.links), foot.create?.isDisabled], [true, 0.25, ['stopCount'], false]);
  });

  it('escapes invisible and bidirectional characters in names', () => {
    const text = textsOf(
      view({
        fileName: 'a\u202e.jsonl',
        connection: { name: 'L\u0007', host: 'h\u200b' },
        report: { ...report, models: [['m\n\u202e', 1]] },
        survey: { name: 'none' },
      }),
    );
    assert.doesNotMatch(text.replaceAll('m\n\u202e', ''), /\p{Cf}|(?!\n)\p{Cc}/u);
    assert.match(text, /a\\u\{202e\}\.jsonl/);
    assert.match(text, /m\\u\{a\}\\u\{202e\}/);
  });
});

describe('features/batches/sheet/presentation/toSheetView: counts and limits', () => {
  const limited: Partial<SheetFacts> = { prices, limit: { batch: 5 } };
  const over = limitOf({ ...facts, ...limited }) ?? assert.fail();

  it('sends above a limit only after a second click, on a button that names both amounts', () => {
    assert.deepEqual([over.per, over.limit, Math.round((over.amount ?? 0) * 100)], ['batch', 5, 939]);
    const first = view(limited);
    assert.deepEqual([first.foot.create?.label, first.foot.create?.isDoubtful], ['Send 412 Requests', undefined]);
    const second = view({ ...limited, shownLimit: over });
    assert.deepEqual([second.foot.create?.label, second.foot.create?.isDoubtful], ['Spend $9.39 (Limit $5.00)', true]);
    assert.equal(second.foot.status.text, 'Press again to send above your limit.');
    assert.equal(second.spoken, 'This batch may cost $9.39. Your limit per batch is $5.00.');
    const unknown = { per: 'batch', amount: undefined, limit: 5 } as const;
    assert.equal(view({ limit: { batch: 5 }, shownLimit: unknown }).foot.create?.label, 'Send at Unknown Cost (Limit $5.00)');
  });

  it('asks for the second click again when an amount changed, and waits for the cost', () => {
    for (const change of [{ limit: { batch: 6 } }, { limit: { day: 5 } }, { shownLimit: { ...over, amount: 9 } }]) {
      assert.equal(view({ ...limited, shownLimit: over, ...change }).foot.create?.label, 'Send 412 Requests');
    }
    const running: Partial<SheetFacts> = { survey: { name: 'running', share: 0.5 } };
    assert.equal(view({ ...limited, ...running }).foot.create?.isDisabled, true);
    assert.equal(view(running).foot.create?.isDisabled, false);
  });
});
