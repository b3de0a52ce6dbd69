import { DateTime } from 'luxon';

import { goesOn, hintsOf, jsonOf, resultsOf, retried, saidBy } from '../../service.mts';
import { BERLIN, callingOperations, LONDON, MADRID, ROME, refuseSecond, useServiceAt } from './ruledCalls.mts';

const NOON = DateTime.fromISO('2031-01-15T12:00:00', { zone: 'Europe/Berlin' });

const service = useServiceAt(NOON);

/** Every field from the item. */
const FROM_ITEM = {
	givenAt: '={{ $json.at }}',
	validFor: '={{ $json.days }}',
	purpose: '={{ $json.why }}',
	reference: '={{ $json.ref }}',
};
const EMPTY = { givenAt: '', validFor: 'unlimited', purpose: '', reference: '' };
const consent = (values: object = FROM_ITEM) => ({ consent: { values: { ...EMPTY, ...values } } });
const sent = async () =>
	(await service.requests('POST', '/call')).map(({ body }) => body as { to: string; context?: object });

const VALID = { to: BERLIN, at: '2031-01-10T09:00:00+01:00', days: 30, why: 'reminders', ref: 'form-1' };
const given = { givenAt: VALID.at, purpose: 'reminders', reference: 'form-1' };
const contacts = [
	VALID,
	{ to: LONDON, at: '', days: 'unlimited', why: '', ref: '' },
	{ to: MADRID, at: '2030-12-01', days: '30', why: 'x', ref: 'y' },
	{ to: ROME, at: '2029-12-01', days: 'unlimited', why: '', ref: 'form-4' },
];
const none = { result: 'noConsent', code: 'NO_CONSENT', httpStatus: null };

describe.each(callingOperations)('%s', (_name, way, done) => {
	test('calls those with a valid consent, and sends it in the metadata', async () => {
		const metadata = { metadataFields: { values: [{ name: 'row', value: '={{ $itemIndex }}' }] } };
		const ran = await service.run(service[way]({ ...consent(), ...metadata }), contacts, {
			node: { onError: 'continueErrorOutput' },
			timezone: 'Europe/Berlin',
		});
		const last = { givenAt: '2029-12-01T00:00:00+01:00', reference: 'form-4' };
		expect(ran.outputs).toMatchObject([
			[
				{ result: done, to: BERLIN, context: { consent: given } },
				{ ...none, to: LONDON, message: expect.stringContaining("'Given At' is empty") },
				{ ...none, to: MADRID, message: expect.stringContaining('valid for 30 days') },
				{ result: done, to: ROME, context: { consent: last } },
			].map((json) => ({ json })),
			[],
		]);
		expect(Object.fromEntries((await sent()).map(({ to, context }) => [to, context]))).toEqual({
			[BERLIN]: { row: expect.anything(), consent: given },
			[ROME]: { row: expect.anything(), consent: last },
		});
		expect(hintsOf(ran)[0]).toContain('2 without a valid consent (sheet rows 3-4)');
	});

	test('does not take a date that is none, one that stands for none in a table, or one in the future', async () => {
		const empty = ['1900-01-01', '0001-01-01T00:00:00', '1970-01-01T00:00:00.000Z', '1899-12-30', '0000-01-01', 0];
		const dates = ['yesterday', '15/01/2031', '2031-02-30', 46_112, true, '2031-01-15T12:30:00+01:00', ...empty];
		const items = dates.map((at, index) => ({ ...VALID, to: `+4930${1_000_000 + index}`, at, days: 'unlimited' }));
		expect(jsonOf(await service.run(service[way](consent()), items))).toMatchObject(
			dates.map((_at, index) => ({
				result: 'noConsent',
				message: expect.stringContaining(index === 5 ? 'in the future' : 'is not a date'),
			})),
		);
		expect(await sent()).toEqual([]);
	});

	const room = 255 - JSON.stringify({ ...given, purpose: '' }).length;
	test.each([
		['its purpose is one character too long', { why: 'a'.repeat(room + 1) }, {}],
		['the expression of its validity has no value', { days: null }, {}],
		['the metadata has a field with its name', {}, { consent: 'mine' }],
	])('sends nothing for an item where %s', async (_what, changes, context) => {
		const parameters = service[way]({ ...consent(), metadataJson: '={{ JSON.stringify($json.context) }}' });
		const longest = { ...VALID, why: 'a'.repeat(room), to: MADRID, context: {} };
		const items = [{ ...VALID, context: {} }, { ...VALID, to: LONDON, ...changes, context }, longest];
		expect((await service.run(parameters, items)).run.error?.message).toContain('[item 1]');
		expect(await sent()).toEqual([]);
		expect(jsonOf(await service.run(parameters, items, { node: goesOn }))).toMatchObject([
			{ result: done },
			{ result: 'failed', code: 'INVALID_INPUT' },
			{ result: done },
		]);
	});
});

test('a call of an earlier try stays the result of its item, although its consent has ended since', async () => {
	await refuseSecond(service);
	const data = '$execution.customData';
	const inNextTry = `${data}.get("i" + $itemIndex) ? $json.next`;
	const at = `={{ ${inNextTry} : (${data}.set("i" + $itemIndex, "1"), ${JSON.stringify(VALID.at)}) }}`;
	const items = [BERLIN, LONDON, MADRID].map((to) => ({ ...VALID, to, next: to === MADRID ? VALID.at : '2030-01-01' }));
	const parameters = service.place(consent({ ...FROM_ITEM, givenAt: at }), { sending: { maxConcurrentRequests: 1 } });
	const kept = { result: 'placed', alreadySent: true, context: { consent: { reference: 'form-1' } } };
	const results = [kept, { result: 'noConsent' }, { result: 'placed' }];
	expect(jsonOf(await service.run(parameters, items, { node: retried }))).toMatchObject(results);
	expect(await service.dialed()).toEqual([BERLIN, LONDON, MADRID]);
});

test('an option without values, or of another shape, calls nobody', async () => {
	const { values } = consent({ givenAt: VALID.at }).consent;
	const { validFor: _validFor, ...others } = values;
	const isEmpty = "'Consent' is empty";
	for (const [shape, message] of [
		[{}, isEmpty],
		['={{ undefined }}', isEmpty],
		[`={{ (${JSON.stringify({ values })}) }}`, isEmpty],
		[values, isEmpty],
		// A misspelled name: the consent must not last forever.
		[{ values: { ...others, validForDays: 30 } }, "Use 1 or more in 'Valid For (Days)'"],
	] as const) {
		expect(saidBy(await service.run(service.place({ consent: shape }), contacts))).toContain(message);
	}
	const missing = await service.run(service.place(consent({ givenAt: '={{ $json.missing }}' })), contacts);
	expect(resultsOf(missing)).toEqual(Array(4).fill('noConsent'));
	expect(await sent()).toEqual([]);
});
