import type { IDataObject } from 'n8n-workflow';

import { CallBook } from '../../../../nodes/VoiceAgentCalling/callRules/book.ts';
import type { WantedCall } from '../../../../nodes/VoiceAgentCalling/callRules/bookEntries.ts';
import { ID, newBook, OTHER_PHONE, PHONE, stored, TWIN, wanted } from './calls.mts';

const NOW = Date.parse('2031-01-15T12:00:00Z');

/** What can become of a call. */
const ENDS = {
	accepted: (book: CallBook, call: WantedCall) => book.accept(book.add(call, NOW), ID),
	refused: (book: CallBook, call: WantedCall) => book.refuse(book.add(call, NOW)),
	unknown: (book: CallBook, call: WantedCall) => book.markUnknown(book.add(call, NOW)),
	existing: (book: CallBook, call: WantedCall) => book.addExisting(call, ID),
	existingWithoutId: (book: CallBook, call: WantedCall) => book.addExisting(call, ''),
	inFlight: (book: CallBook, call: WantedCall) => void book.add(call, NOW),
};
type End = keyof typeof ENDS;

/** What the book decides about a call: what it has, whose it is, and whether it is unknown or had other values. */
function decision(book: CallBook, call: WantedCall): string {
	const known = book.find(call);
	if (known === undefined) {
		return 'send';
	}
	const { id, item, isExisting } = known.entry;
	const other = known.is === 'own' && known.valuesChanged ? ' with other values' : '';
	return `${known.is} ${id ?? 'unknown'}${isExisting ? ' existing' : ''} of ${item}${other}`;
}

/** The books in which each decision must be the same: the one that was written, and those read from its text. */
function forms(flow: IDataObject, execution = '77'): CallBook[] {
	const { book: tidied, flow: rewritten } = newBook(stored(flow), execution);
	for (let count = 0; count < 50; count++) {
		tidied.refuse(tidied.add(wanted({ to: '+12025550199', node: 'Another' }), NOW));
	}
	tidied.tidy();
	const read = [flow, rewritten].map((one) => newBook(stored(one), execution).book);
	return [CallBook.of(flow, execution), tidied, ...read];
}

/** The decision about a call after another one, in this execution or in a Retry of it. */
function after(sent: Partial<WantedCall>, end: End, next: Partial<WantedCall>, { isRetried = false } = {}): string {
	const { book, flow } = newBook();
	const first = wanted(sent);
	ENDS[end](book, first);
	const execution = isRetried ? '78' : '77';
	const of = forms(isRetried ? stored(flow) : flow, execution);
	const decisions = of.map((one) => decision(one, { ...first, ...next }));
	if (end !== 'inFlight') {
		expect(new Set(decisions).size).toBe(1);
	}
	return decisions[0]!;
}

const own = `own ${ID} of 0`;
const same = `same ${ID} of 0`;
const tool = { isTool: true };
const each = { isEachTime: true };
const other = { item: 1 };

describe('After a call of a node, a call', () => {
	test.each<[what: string, next: Partial<WantedCall>, accepted: string, unknown: string]>([
		['of the same item has it', {}, own, 'own unknown of 0'],
		['of the same item by the twin has it', { to: TWIN }, own, 'own unknown of 0'],
		[
			'of the same item to another phone has it',
			{ to: OTHER_PHONE },
			`${own} with other values`,
			'own unknown of 0 with other values',
		],
		[
			'of the same item by another agent has it',
			{ owner: 'eve' },
			`${own} with other values`,
			'own unknown of 0 with other values',
		],
		['of another item shares it', other, same, 'mayBeRinging unknown of 0'],
		['of another item by the twin shares it', { ...other, to: TWIN }, same, 'mayBeRinging unknown of 0'],
		['of another item to another phone is sent', { ...other, to: OTHER_PHONE }, 'send', 'send'],
		['of another item with Call Each Time is sent', { ...other, ...each }, 'send', 'mayBeRinging unknown of 0'],
		['of the same item with Call Each Time has it', each, own, 'own unknown of 0'],
		['of another round is sent', { run: 1 }, 'send', 'mayBeRinging unknown of 0'],
		['of another node is sent', { node: 'Another' }, 'send', 'mayBeRinging unknown of 0'],
		[
			'of another item with another credential shares it',
			{ ...other, credential: 'b' },
			same,
			'mayBeRinging unknown of 0',
		],
		['that is a test is sent', { ...other, isTest: true }, 'send', 'mayBeRinging unknown of 0'],
		['of a tool is sent', { ...tool, node: 'Tool' }, 'send', 'mayBeRinging unknown of 0'],
	])('%s', (_what, next, accepted, unknown) => {
		expect(after({}, 'accepted', next)).toBe(accepted);
		expect(after({}, 'unknown', next)).toBe(unknown);
		expect(after({}, 'refused', next)).toBe('send');
		const existing = accepted.replace(ID, `${ID} existing`);
		expect(after({}, 'existing', next)).toBe(existing);
		expect(after({}, 'existingWithoutId', next)).toBe(existing.replace(ID, ''));
	});
});

test.each<[whose: string, next: Partial<WantedCall>]>([
	['another agent', { ...other, owner: 'eve' }],
	['a campaign with the same ID', { ...other, ownerField: 'campaignId' }],
])('A node calls a phone once per run, also by %s; what one campaign had before is not a call', (_whose, next) => {
	expect(after({}, 'accepted', next)).toBe(same);
	expect(after({}, 'unknown', next)).toBe('mayBeRinging unknown of 0');
	expect(after({}, 'refused', next)).toBe('send');
	expect(after({}, 'existing', next)).toBe('send');
});

describe('After a call of a tool, a call', () => {
	test.each<[what: string, next: Partial<WantedCall>, accepted: string, unknown: string]>([
		['of a later run has it', { run: 1 }, same, 'own unknown of 0'],
		['of another item has it', { ...other, run: 1 }, same, 'own unknown of 0'],
		['by the twin has it', { run: 1, to: TWIN }, same, 'own unknown of 0'],
		['of another tool has it', { node: 'Another' }, same, 'own unknown of 0'],
		['by another agent has it', { run: 1, owner: 'eve' }, same, 'own unknown of 0'],
		['with another credential has it', { run: 1, credential: 'b' }, same, 'own unknown of 0'],
		['to another phone is sent', { run: 1, to: OTHER_PHONE }, 'send', 'send'],
		['that is a test is sent', { run: 1, isTest: true }, 'send', 'mayBeRinging unknown of 0'],
		['of a node is sent', { isTool: false, node: 'Node' }, 'send', 'mayBeRinging unknown of 0'],
		['of a later run with Call Each Time is sent', { run: 1, ...each }, 'send', 'mayBeRinging unknown of 0'],
		['of the same run with Call Each Time has it', each, own, 'own unknown of 0'],
		['of another item with Call Each Time is sent', { ...other, ...each }, 'send', 'mayBeRinging unknown of 0'],
	])('%s', (_what, next, accepted, unknown) => {
		expect(after(tool, 'accepted', next)).toBe(accepted);
		expect(after(tool, 'unknown', next)).toBe(unknown);
		expect(after(tool, 'refused', next)).toBe('send');
	});

	test('with Call Each Time, of an attempt after one that ended in an error, has it', () => {
		const { book, flow } = newBook();
		ENDS.accepted(book, wanted({ ...tool, ...each, run: 3 }));
		const next = wanted({ ...tool, ...each, run: 4 });
		expect(decision(book, next)).toBe('send');
		book.setFailed({ node: 'Call', run: 3 });
		for (const one of forms(flow)) {
			expect(decision(one, next)).toBe(same);
			expect(decision(one, { ...next, node: 'Another' })).toBe('send');
		}
	});
});

describe("In n8n's Retry, after a call of the first execution, a call", () => {
	const isRetried = { isRetried: true };

	test.each<[what: string, sent: Partial<WantedCall>, next: Partial<WantedCall>, accepted: string, unknown: string]>([
		['of the same item to the same phone has it', {}, {}, own, 'own unknown of 0'],
		['of the same item to another phone is sent', {}, { to: OTHER_PHONE }, 'send', 'send'],
		['of the same item by another agent has it', {}, { owner: 'eve' }, own, 'own unknown of 0'],
		['of another item to the same phone has it', {}, other, own, 'own unknown of 0'],
		['with another credential has it', {}, { credential: 'b' }, own, 'own unknown of 0'],
		['of another round is sent', {}, { run: 1 }, 'send', 'mayBeRinging unknown of 0'],
		['of a tool has that of a tool', tool, { run: 5 }, same, 'own unknown of 0'],
	])('%s', (_what, sent, next, accepted, unknown) => {
		expect(after(sent, 'accepted', next, isRetried)).toBe(accepted);
		expect(after(sent, 'unknown', next, isRetried)).toBe(unknown);
		expect(after(sent, 'refused', next, isRetried)).toBe('send');
		// Its process has ended before the response: nobody knows.
		expect(after(sent, 'inFlight', next, isRetried)).toBe(unknown);
	});

	test('is given back to one item, and shared by the others with its phone', () => {
		const { book, flow } = newBook();
		ENDS.accepted(book, wanted());
		const retry = newBook(stored(flow), '78').book;
		expect([2, 3, 2].map((item) => decision(retry, wanted({ item })))).toEqual([own, same, own]);
		expect(retry.ownOf(wanted())).toBeUndefined();
	});

	test('that is sent is one of the Retry', () => {
		const { book, flow } = newBook();
		ENDS.accepted(book, wanted());
		const retried = newBook(stored(flow), '78');
		retried.book.accept(retried.book.add(wanted({ to: OTHER_PHONE }), NOW), 'other');
		for (const one of forms(retried.flow, '78')) {
			expect(one.ownOf(wanted())).toMatchObject({ id: 'other', isRetried: false });
			expect(one.count('credential')).toBe(2);
		}
	});
});

test('While a call is in flight, others to its phone wait, and then have it', async () => {
	const { book } = newBook();
	const release = book.claim(PHONE);
	const entry = book.add(wanted(), NOW);
	expect(decision(book, wanted({ run: 1, node: 'Another' }))).toBe('send');
	expect(book.flightTo(OTHER_PHONE)).toBeUndefined();
	const later = book.flightTo(TWIN)?.then(() => decision(book, wanted(other)));
	book.accept(entry, ID);
	release();
	expect(await later).toBe(same);
	expect(book.flightTo(PHONE)).toBeUndefined();
});

test('A call that was sent twice for an item is found by its phone first', () => {
	const { book } = newBook();
	book.accept(book.add(wanted({ to: OTHER_PHONE }), NOW), 'other');
	book.accept(book.add(wanted(), NOW), ID);
	expect(decision(book, wanted())).toBe(own);
});

describe('What is counted', () => {
	test('are the calls of a credential that were sent, or may have been: not refused ones, nor those that existed', () => {
		const { book, flow } = newBook();
		const phones = ['+12025550101', '+12025550102', '+12025550103', '+12025550104', '+12025550105'];
		for (const [item, end] of (['accepted', 'unknown', 'refused', 'existing', 'inFlight'] as const).entries()) {
			ENDS[end](book, wanted({ to: phones[item], item, isTool: item === 1, isTest: item === 4 }));
		}
		for (const one of forms(flow)) {
			expect([one.count('credential'), one.count('credential', true), one.count('b')]).toEqual([3, 1, 0]);
			expect([one.realCallsOn('credential', '2031-01-15'), one.realCallsOn('credential', '2031-01-16')]).toEqual([
				2, 0,
			]);
			expect(one.callsWith('credential').map(({ item }) => item)).toEqual([0, 1, 4]);
			expect(one.callsWith('credential', phones[1])).toHaveLength(1);
			expect(one.callsWith('credential', phones[3])).toEqual([]);
		}
	});

	test('a call counts on the day on which it starts', () => {
		const { book } = newBook();
		book.accept(book.add(wanted(), Date.parse('2031-01-15T23:59:59.999Z')), ID);
		book.accept(book.add(wanted(other), Date.parse('2031-01-16T00:00:00Z')), ID);
		expect(['2031-01-15', '2031-01-16'].map((day) => book.realCallsOn('credential', day))).toEqual([1, 1]);
	});
});

describe('The text', () => {
	test('is all that is in the context of n8n, and has no number', () => {
		const { book, flow } = newBook();
		ENDS.accepted(book, wanted());
		expect(Object.values(flow)).toEqual([expect.any(String)]);
		expect(JSON.stringify(flow)).not.toContain('0549886377');
	});

	test.each<[string, string]>([
		['a UUID', ID],
		['a UUID in capitals', ID.toUpperCase()],
		['dots', 'a.b..c.'],
		['line breaks', 'a\nb\r\n+0.x\n@77'],
		['other letters', 'ü→😀'],
		['a number', '7'],
		['a very long text', 'x'.repeat(5000)],
	])('keeps an ID that is or has %s', (_what, id) => {
		const { book, flow } = newBook();
		book.accept(book.add(wanted(), NOW), id);
		for (const one of forms(flow)) {
			expect(one.find(wanted())?.entry.id).toBe(id);
		}
	});

	test('keeps names with line breaks, and times to the second', () => {
		const { book, flow } = newBook();
		const call = wanted({ node: 'Call\n@78 "every.body"', owner: 'ö.\n', credential: '=[]', ownerField: undefined });
		book.accept(book.add(call, NOW + 999), ID);
		book.setFailed(call);
		for (const one of forms(flow)) {
			expect(one.find(call)).toMatchObject({ is: 'own', valuesChanged: false, entry: { startsAt: NOW, item: 0 } });
			const { node, owner, credential, ownerField } = one.find(call)!.entry.group;
			expect({ node, owner, credential, ownerField }).toEqual({
				node: call.node,
				owner: call.owner,
				credential: call.credential,
				ownerField: undefined,
			});
		}
	});

	test.each(['item', 'run'] as const)(
		'takes at most 60 bytes for each of 50,000 calls with the IDs of the service, each of another %s',
		(of) => {
			const { flow } = newBook();
			for (let number = 0; number < 50_000; number++) {
				const book = CallBook.of(flow, '77');
				const hex = number.toString(16).padStart(8, '0');
				const to = `+1202${String(5_550_000 + number)}`;
				book.accept(book.add(wanted({ [of]: number, to }), NOW), `${hex}-d9cb-469f-a165-70867728950e`);
				if (of === 'run') {
					book.tidy();
				}
			}
			expect(Buffer.byteLength(JSON.stringify(flow)) / 50_000).toBeLessThanOrEqual(60);
			const { entry } = newBook(stored(flow)).book.find(wanted({ [of]: 49_999, to: '+12025599999' })) ?? {};
			expect(entry).toMatchObject({ id: '0000c34f-d9cb-469f-a165-70867728950e' });
		},
	);

	test('loses the lines about refused calls when a run ends, if they are more than half', () => {
		const { book, flow } = newBook();
		for (let item = 0; item < 100; item++) {
			book.refuse(book.add(wanted({ item }), NOW));
		}
		const { length } = JSON.stringify(flow);
		ENDS.accepted(book, wanted());
		book.tidy();
		expect(JSON.stringify(flow).length).toBeLessThan(length / 5);
		expect(decision(book, wanted())).toBe(own);
		const { text } = { text: JSON.stringify(flow) };
		book.tidy();
		expect(JSON.stringify(flow)).toBe(text);
		for (let run = 0; run < 3000; run++) {
			book.refuse(book.add(wanted({ run }), NOW));
			book.tidy();
		}
		expect(JSON.stringify(flow).length).toBeLessThan(length + text.length);
	});

	test('of an execution and its Retry keeps whose calls they are when it is written anew', () => {
		const { book, flow } = newBook();
		ENDS.unknown(book, wanted({ to: OTHER_PHONE }));
		const retried = newBook(stored(flow), '78');
		ENDS.accepted(retried.book, wanted());
		for (const one of forms(retried.flow, '78')) {
			expect(decision(one, wanted())).toBe(own);
			expect(decision(one, wanted({ item: 5, to: OTHER_PHONE }))).toBe('own unknown of 0');
			expect(one.ownOf(wanted())?.isRetried).toBe(false);
		}
		// The Retry of the Retry.
		for (const one of forms(stored(retried.flow), '79')) {
			expect(one.ownOf(wanted())).toBeUndefined();
			expect(decision(one, wanted({ to: OTHER_PHONE }))).toBe('own unknown of 0');
		}
	});

	test('names a phone by another text in each book, so that books cannot be compared', () => {
		const [one, another] = [newBook().book, newBook().book];
		expect(one.phoneOf(PHONE)).not.toBe(another.phoneOf(PHONE));
		expect(one.phoneOf(PHONE)).toBe(one.phoneOf(TWIN));
		expect(one.phoneOf(PHONE)).not.toBe(one.phoneOf(OTHER_PHONE));
		expect(one.phoneOf(PHONE)).toHaveLength(10);
	});

	test('that another copy of this code has written further is read again', () => {
		const { book, flow } = newBook();
		const copy = stored(flow);
		ENDS.accepted(newBook(copy).book, wanted());
		Object.assign(flow, copy);
		expect(CallBook.of(flow, '77')).not.toBe(book);
		expect(decision(CallBook.of(flow, '77'), wanted())).toBe(own);
	});
});
