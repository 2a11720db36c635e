import assert from 'node:assert/strict';
import { isReady, type SheetFacts } from '../../../../../../src/features/batches/sheet/presentation/sheetFacts';
import { toSheetView } from '../../../../../../src/features/batches/sheet/presentation/toSheetView';
import { context, earlier, facts, outgoingOf, problem, report, reportOf, selectedFrom, survey, textsOf } from '../sheetUnderTest';

const view = (change: Partial<SheetFacts> = {}) =>
  toSheetView({ ...facts, outgoing: outgoingOf(change.report ?? report), ...change }, context);
const section = (id: string, change: Partial<SheetFacts> = {}) => textsOf(view(change).sections.find(each => each.id === id));

describe('features/batches/sheet/presentation/toSheetView', () => {
  it('tells what goes where', () => {
    const text = section('what');
    for (const part of [
      'Lab, on agents.example.com',
      'support-tickets.jsonl, as it is saved',
      '3f786850e387550f…',
      '412',
      '1.2 MB (1,234,567 bytes)',
    ]) {
      assert.ok(text.includes(part), `${part} is not in:\n${text}`);
    }
    assert.match(text, /vendor-sonnet-5 \(400\), vendor-haiku-4-5 \(12\)/);
    assert.match(section('what', { fromEditor: true }), /unsaved changes included/);
    assert.match(section('what', { report: { ...report, bareCount: 5 } }), /5 lines have no custom_id/);
    assert.match(section('what'), /User profile\s+none/);
    const { sections } = view({ connection: { name: 'Lab', host: 'agents.example.com', userProfileId: 'profile_1' } });
    const [details] = sections.find(({ id }) => id === 'what')?.blocks ?? [];
    const row = details?.kind === 'facts' ? details.rows.find(({ name }) => name === 'User profile') : undefined;
    assert.deepEqual([row?.value, row?.links?.[0]?.act], ['profile_1', { type: 'setUserProfile' }]);
    const none = section('what', { connection: undefined, limits: { maxRequests: 100_000, maxBytes: 268_435_456 } });
    assert.match(none, /None is chosen\. The limits are those of a new one: 100,000 requests and 268 MB\./);
  });

  it('names the first models and how many more there are', () => {
    const models = Array.from({ length: 8 }, (_, index) => [`m${index}`, 8 - index] as const);
    assert.match(section('what', { report: { ...report, models } }), /m4 \(4\) and 3 more/);
  });

  it('offers to create a batch of as many requests as there are', () => {
    assert.deepEqual(view().foot.create, { label: 'Create Batch of 412 Requests', isDisabled: false });
    assert.equal(view({ report: { ...report, requestCount: 1 } }).foot.create?.label, 'Create Batch of 1 Request');
    assert.equal(view({ repeats: [earlier] }).foot.create?.label, 'Create Another Batch of 412 Requests');
  });

  it('offers no batch where the service has none, and says so', () => {
    const { foot } = view({ hasNoBatches: true });
    assert.equal(foot.create, undefined);
    assert.deepEqual(
      [foot.status.tone, foot.status.text],
      ['error', 'The service of Lab has no batches, so nothing can be sent there. Choose another connection.'],
    );
    assert.equal(isReady({ ...facts, hasNoBatches: true }), false);
  });

  it('leads from the foot to the requests of a file on this machine as a table, whatever is wrong with them', () => {
    const table = { label: 'Show Requests as Table', act: { type: 'showTable' } };
    assert.deepEqual(view().foot.table, table);
    assert.deepEqual(view({ report: { ...report, problemCounts: { error: 1, warning: 0, information: 0, hint: 0 } } }).foot.table, table);
    assert.equal(view({ folder: undefined }).foot.table, undefined);
    const wrong = { ...report, invalidCount: 412 };
    assert.equal(view({ isForeign: true, report: wrong }).foot.table, undefined, 'none of its lines is a request');
    assert.equal(view({ report: undefined }).foot.table, undefined);
    assert.equal(view({ report: { ...report, requestCount: 0 } }).foot.table, undefined);
  });

  it('offers nothing to press while it is checked or sent, or when it is no longer true', () => {
    for (const change of [{ isChecking: true }, { isSending: true }, { changes: ['The file was changed on disk.'] }]) {
      assert.equal(view(change).foot.create?.isDisabled, true);
    }
    const stale = view({ changes: ['The file was changed on disk.', 'The connection is B now.'] });
    assert.equal(stale.foot.status.text, 'The file was changed on disk. The connection is B now.');
    assert.deepEqual(
      stale.foot.status.links?.map(({ act }) => act.type),
      ['checkAgain'],
    );
    assert.equal(stale.spoken, stale.foot.status.text);
  });

  it('shows problems by rule, worst first, with their counts and first places', () => {
    const wrong = reportOf(
      problem('unknown-field', 'error', { path: ['custom_id'] }),
      problem('a', 'hint'),
      problem('no-messages', 'warning'),
      problem('a', 'hint'),
    );
    const { blocks = [] } = view({ report: wrong }).sections.find(({ id }) => id === 'problems') ?? {};
    const [note, list, acts] = blocks;
    assert.deepEqual(note, { kind: 'note', tone: 'plain', text: '1 error, 1 warning, 2 hints' });
    assert.ok(list?.kind === 'list' && acts?.kind === 'acts');
    assert.deepEqual(
      list.items.map(({ tone, text, links }) => [tone, text, links?.[0]?.label]),
      [
        ['error', 'unknown-field: 1', 'Line 12'],
        ['warning', 'no-messages: 1', 'Line 12'],
        ['plain', 'a: 2', 'Line 12'],
      ],
    );
    assert.deepEqual(list.items[0]?.links?.[0]?.act, { type: 'openPlace', line: 11, start: 4, end: 9 });
    assert.deepEqual(
      acts.links.map(({ act }) => act.type),
      ['fix', 'showProblems', 'showReport'],
    );
  });

  it('says first that all requests may be refused, and lets the fix stand out instead of the button that sends', () => {
    const refused = { ...reportOf(problem('prefill', 'warning')), refusedCount: 412 };
    const { sections, foot } = view({ report: refused });
    assert.equal(sections[0]?.id, 'problems');
    assert.deepEqual(sections[0]?.blocks[0], {
      kind: 'lead',
      text: 'All 412 requests may be refused.',
      detail: 'Services refuse requests with these problems, hours after the batch was made.',
    });
    assert.deepEqual(foot.status, { tone: 'error', text: 'All 412 requests may be refused.' });
    assert.deepEqual(foot.create, { label: 'Create Batch of 412 Requests Anyway', isDisabled: false, isDoubtful: true });
    assert.equal(foot.fix?.act.type, 'fix');
    assert.equal(view({ report: { ...refused, requestCount: 1, refusedCount: 1 } }).foot.status.text, 'The request may be refused.');
  });

  it('counts the requests that may be refused', () => {
    const some = { ...reportOf(problem('stream-in-batch', 'warning')), refusedCount: 3 };
    const { sections, foot } = view({ report: some });
    assert.match(textsOf(sections.find(({ id }) => id === 'problems')), /^3 of 412 requests may be refused\.$/m);
    assert.notEqual(sections[0]?.id, 'problems');
    assert.equal(foot.create?.isDoubtful, undefined);
  });

  it('offers no fix where nothing listed has one', () => {
    const acts = (rule: string) =>
      view({ report: reportOf(problem(rule, 'error')) })
        .sections.find(({ id }) => id === 'problems')
        ?.blocks.flatMap(block => (block.kind === 'acts' ? block.links.map(({ act }) => act.type) : []));
    assert.deepEqual(acts('no-requests'), ['showProblems', 'showReport']);
    assert.deepEqual(acts('duplicate-id'), ['fix', 'showProblems', 'showReport']);
  });

  it('says once that a file is too large, where its parts are', () => {
    const limits = { maxRequests: 400, maxBytes: 1e9 };
    const outgoing = { ...outgoingOf(report), parts: [selectedFrom(0, 400, 1_200_000), selectedFrom(400, 12, 34_567)] };
    const large = { limits, outgoing };
    const tooMany = problem('too-many-requests', 'error', { path: [] });
    const both = view({ ...large, report: reportOf(tooMany, problem('no-messages', 'warning')) });
    const problems = textsOf(both.sections.find(({ id }) => id === 'problems'));
    assert.doesNotMatch(problems, /too-many-requests/);
    assert.match(problems, /^1 warning$/m);
    const alone = view({ ...large, report: reportOf(tooMany) });
    assert.match(textsOf(alone.sections.find(({ id }) => id === 'problems')), /Nothing else is wrong with the file\./);
    assert.equal(alone.foot.create?.label, 'Create 2 Batches of 412 Requests');
    assert.equal(view({ ...large, repeats: [earlier] }).foot.create?.label, 'Create 2 More Batches of 412 Requests');
  });

  it("names the rules among the problems whose severity the folder's settings raise", () => {
    const found = reportOf(problem('deprecated-field', 'error'), problem('missing-field', 'error'));
    const words = (folderRules: readonly string[]) => textsOf(view({ report: found, folderRules }));
    assert.match(words(['deprecated-field', 'blank-line']), /This folder's settings raise the severity of deprecated-field\./);
    assert.doesNotMatch(words([]), /This folder's settings/);
  });

  it('shows the way out for a file in another form, and neither fixes nor tokens', () => {
    const wrong = reportOf(problem('unknown-field', 'error', { path: ['method'] }), problem('missing-field', 'error', { path: [] }));
    const foreign = view({ isForeign: true, report: wrong, survey: { name: 'none' } });
    assert.deepEqual(
      foreign.sections.map(({ id }) => id),
      ['what', 'foreign'],
    );
    const acts = foreign.sections[1]?.blocks.find(({ kind }) => kind === 'acts');
    assert.deepEqual(acts, { kind: 'acts', links: [{ label: 'Convert...', act: { type: 'convert' } }], isMain: true });
    assert.equal(foreign.foot.create, undefined);
    assert.deepEqual([foreign.foot.status.tone, foreign.foot.status.text], ['error', 'The file is in another format. Convert it first.']);
    assert.doesNotMatch(textsOf(foreign.sections[0]), /Requests|Body/);
    // An estimate leads on to nothing from there either.
    assert.equal(view({ mode: 'estimate', isForeign: true, report: wrong }).foot.leadOn, undefined);
    // What can be sent as it stands needs no other form.
    assert.ok(view({ isForeign: true }).foot.create !== undefined);
  });

  it('shows how much was sent, and lets it be stopped', () => {
    const { status } = view({ isSending: true, sending: { share: 0.25, part: undefined } }).foot;
    assert.deepEqual([status.text, status.share], ['Sending 1.2 MB to Lab…', 0.25]);
    assert.deepEqual(status.links, [{ label: 'Cancel', name: 'Cancel sending', act: { type: 'stopSending' } }]);
    const sent = view({ isSending: true, sending: { share: 1, part: undefined } }).foot.status;
    assert.deepEqual([sent.text, sent.share], ['Everything was sent to Lab. Waiting for its answer…', undefined]);
    assert.deepEqual(sent.links, status.links);
    assert.equal(view({ isSending: true }).foot.status.links, undefined);
  });

  it('says beside what sends that secrets were not looked for yet', () => {
    assert.match(view({ survey: { name: 'running', share: 0.4 } }).foot.status.text, /Secrets were not looked for yet/);
    assert.match(view({ survey: { name: 'stopped' } }).foot.status.text, /Secrets were not looked for/);
    assert.match(view({ survey: { name: 'failed', problem: 'It broke' } }).foot.status.text, /Secrets were not looked for/);
    assert.doesNotMatch(view({ mode: 'estimate', survey: { name: 'running', share: 0 } }).foot.status.text, /not looked for/);
  });

  it('lists rules that are only counted by their first line', () => {
    const counted = {
      ...reportOf(problem('x', 'error')),
      ruleCounts: [
        { rule: 'x', count: 1, firstLine: 11 },
        { rule: 'late', count: 7, firstLine: 99 },
      ],
    };
    assert.match(section('problems', { report: counted }), /late: 7\nopenPlace|late: 7\nLine 100/);
  });

  it('has no create button where errors are certain, and says why', () => {
    const certain = view({ report: reportOf(problem('json-syntax', 'error', { path: [] })) });
    assert.equal(certain.foot.create, undefined);
    assert.deepEqual(certain.foot.status, { tone: 'error', text: 'No batch can be created: fix 1 error first.' });
    const empty = view({ report: { ...reportOf(problem('no-requests', 'error', { path: [] })), requestCount: 0 } });
    assert.match(empty.foot.status.text, /no requests in the file/);
    // Silenced by a setting, and not to be sent all the same.
    const silenced = view({ report: { ...report, invalidCount: 2 } });
    assert.equal(silenced.foot.create, undefined);
    assert.match(silenced.foot.status.text, /fix 2 errors first/);
    const unjoinable = view({ report: { ...report, unjoinableCount: 2 } });
    assert.equal(unjoinable.foot.create, undefined);
    assert.match(unjoinable.foot.status.text, /the results of 2 requests could not be joined/);
  });

  it('leads from the foot to what puts errors right, or to the first of them, and nowhere where there are none', () => {
    const fixOf = (change: Partial<SheetFacts>) => view(change).foot.fix;
    const place = { type: 'openPlace', line: 11, start: 4, end: 9 };
    assert.deepEqual(fixOf({ report: reportOf(problem('not-a-request', 'error', { path: [] })) }), { label: 'Go to Line 12', act: place });
    assert.deepEqual(fixOf({ report: reportOf(problem('unknown-field', 'error')) }), { label: 'Fix...', act: { type: 'fix' } });
    assert.equal(fixOf({ report: reportOf(problem('unknown-field', 'warning')) }), undefined);
    assert.equal(fixOf({ report: reportOf(problem('too-many-requests', 'error')) }), undefined);
    assert.equal(fixOf({ isForeign: true, report: reportOf(problem('unknown-field', 'error', { path: ['method'] })) }), undefined);
  });

  it('names the folder of the file, and each other file that the same requests were sent as once', () => {
    assert.match(section('what', { folder: '/ws/b' }), /Folder\n\/ws\/b/);
    assert.doesNotMatch(section('what', { folder: undefined }), /Folder/);
    const link = { ...earlier, source: 'file:///link.jsonl' };
    const repeats = [link, { ...link, id: 'two', batchId: 'msgbatch_6' }, { ...earlier, id: 'own' }];
    const text = section('repeats', { repeats });
    assert.equal(text.match(/The same requests were sent as link\.jsonl/g)?.length, 1);
    assert.equal(text.match(/This file was already sent/g)?.length, 1);
  });

  it('offers to show why requests were chosen only while that is known', () => {
    const chosen = { description: 'x', note: 'Some are left out.' };
    assert.match(section('what', { chosen: { ...chosen, hasWhy: true } }), /Show Why/);
    assert.doesNotMatch(section('what', { chosen }), /Show Why/);
  });

  it('lets the user insist where only the service can judge', () => {
    const lax = view({ report: reportOf(problem('number-out-of-range', 'error')) });
    assert.equal(lax.foot.create?.label, 'Create Batch of 412 Requests Anyway');
    assert.match(textsOf(lax.sections), /The service may refuse the batch/);
  });

  it('lists the batches that a file over the limits takes, and sends them at one press', () => {
    const parts = [selectedFrom(0, 100, 240_000), selectedFrom(100, 90, 250_000), selectedFrom(190, 222, 744_567)];
    const large = view({ limits: { maxRequests: 100, maxBytes: 250_000 }, outgoing: { ...outgoingOf(report), parts } });
    const text = textsOf(large.sections.find(({ id }) => id === 'parts'));
    assert.match(text, /412 requests are more than the 100 of one batch\. 1\.2 MB are more than the 250 KB of one batch\./);
    assert.match(text, /It goes as 3 batches, one after the other/);
    assert.match(text, /2\n90\n101 to 190\n250 KB/);
    assert.equal(large.foot.create?.label, 'Create 3 Batches of 412 Requests');
    const part = { index: 1, count: 3, isWaiting: false };
    const sending = view({ isSending: true, sending: { share: 0.4, part } }).foot.status;
    assert.deepEqual([sending.text, sending.share], ['Sending part 2 of 3 to Lab…', 0.4]);
    const waiting = view({ isSending: true, sending: { share: 0.6, part: { ...part, isWaiting: true } } }).foot.status;
    assert.equal(waiting.text, 'Part 2 of 3 was sent to Lab. Waiting for its answer…');
  });

  it('sends nothing when a request alone is over the limits', () => {
    const large = view({ limits: { maxRequests: 100, maxBytes: 10 }, outgoing: { ...outgoingOf(report), parts: [] } });
    assert.equal(large.foot.create, undefined);
    assert.match(large.foot.status.text, /A request alone is larger than a batch may be/);
  });

  it('says which requests of a file are sent when not all are, and estimates these alone', () => {
    const selected = selectedFrom(3, 40, 90_000);
    const outgoing = { requestCount: 40, bodyBytes: 90_000, models: selected.models, selected, parts: undefined };
    const chosen = view({ outgoing, chosen: { description: 'those that changed since May 4', note: '60 requests keep their answers.' } });
    const text = textsOf(chosen.sections);
    assert.match(text, /40 of 412: those that changed since May 4/);
    assert.match(text, /60 requests keep their answers\./);
    assert.match(text, /90 KB \(90,000 bytes\)/);
    assert.match(text, /vendor-sonnet-5 \(40\)/);
    const unsurveyed = view({ outgoing, chosen: { description: 'x' }, survey: { name: 'none' } });
    const tokens = unsurveyed.sections.find(({ id }) => id === 'tokens')?.blocks.find(({ kind }) => kind === 'table');
    assert.deepEqual(tokens?.kind === 'table' && tokens.rows.map(([model, requests]) => [model, requests]), [['vendor-sonnet-5', '40']]);
    assert.ok(
      chosen.sections.every(({ id }) => id !== 'prefixes'),
      'marking them would change the file',
    );
    assert.equal(chosen.foot.create?.label, 'Create Batch of 40 Requests');
    const again = view({ outgoing, chosen: { description: 'x' }, repeats: [earlier] });
    assert.match(textsOf(again.sections), /412 requests of this file were already sent as msgbatch_7, /);
  });

  it('tells of what was sent before, and offers to find out about what nobody knows', () => {
    assert.match(section('repeats', { repeats: [earlier] }), /already sent as msgbatch_7/);
    const unknown = view({ repeats: [{ ...earlier, state: 'unknown' }] });
    assert.match(textsOf(unknown.sections), /Find Out What Happened/);
    const sending = view({ repeats: [{ ...earlier, state: 'sending' }] });
    assert.equal(sending.foot.create, undefined);
    assert.match(sending.foot.status.text, /being sent by another window/);
  });

  it('warns of secrets in the file, masked and with their places', () => {
    const place = { line: 3, start: 10, end: 40, masked: 'sk-l…' };
    const found = {
      ...survey,
      findings: [
        { pattern: 'e-mail', kind: 'personal', count: 12, places: [place] },
        { pattern: 'api-key', kind: 'secret', count: 2, places: [place, place] },
      ],
    } as const;
    const with2 = view({ survey: { name: 'done', survey: found } });
    const text = textsOf(with2.sections.find(({ id }) => id === 'sensitive'));
    assert.ok(text.indexOf('Secret, API key: 2') < text.indexOf('Personal data, e-mail address: 12'), text);
    assert.match(text, /sk-l…/);
    assert.deepEqual([with2.foot.status.tone, with2.foot.status.text], ['error', '2 secrets are in the file.']);
    assert.match(with2.spoken, /Secrets found: 2/);
    assert.ok(with2.foot.create !== undefined);
  });

  it('sends nothing from an estimate, and leads on to where it can be sent', () => {
    const estimate = view({ mode: 'estimate', repeats: [earlier] });
    assert.equal(estimate.foot.create, undefined);
    assert.equal(estimate.foot.leadOn?.act.type, 'leadOn');
    assert.equal(estimate.title, 'Estimate');
  });

  it('shows how far the survey is, lets it be stopped, and begun again', () => {
    const running = view({ survey: { name: 'running', share: 0.4 } }).foot.status;
    assert.equal(running.share, 0.4);
    assert.deepEqual(
      running.links?.map(({ act }) => act.type),
      ['stopEstimate'],
    );
    assert.deepEqual(
      view({ survey: { name: 'stopped' } }).foot.status.links?.map(({ act }) => act.type),
      ['startEstimate'],
    );
    assert.match(view({ survey: { name: 'failed', problem: 'It broke' } }).foot.status.text, /The estimate failed\. It broke\./);
  });

  it('shows invisible and turning characters of names as escapes', () => {
    const text = textsOf(
      view({
        fileName: 'a\u202e.jsonl',
        connection: { name: 'L\u0007', host: 'h\u200b' },
        report: { ...report, models: [['m\n\u202e', 1]] },
        survey: { name: 'none' },
      }),
    );
    assert.doesNotMatch(text, /\p{Cf}|(?!\n)\p{Cc}/u);
    assert.match(text, /a\\u\{202e\}\.jsonl/);
    assert.match(text, /m\\u\{a\}\\u\{202e\}/);
  });
});
