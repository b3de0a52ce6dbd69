import { randomUUID } from 'node:crypto';

import { harness } from '../../harness.mts';
import { goesOn, saidBy, to, useService } from '../../service.mts';

const service = useService();

/** Expressions for the values that a person does not expect in a setting that protects. */
const ODD = [
	...['undefined', 'null', "''", "' '", 'NaN', 'Infinity', '-1', '1.5'],
	...['true', '[5]', '[true]', "['never']", "['ignore']", '({})', "'5 calls'", "'BST'", "'IST'", "'none'"],
];
const numbers = ODD.map((_odd, index) => `+4930${1_000_000 + index}`);
const odd = `={{ [${ODD.join(', ')}][$itemIndex] }}`;

const hours = { hours: 'Daily 0-24', holidays: '', timeZone: 'fromNumber', unclearTimeZone: 'outside' };
const consent = { givenAt: '2020-01-01T00:00:00Z', validFor: 'unlimited', purpose: '', reference: '' };

/** Each option, with the odd values that it may accept. */
const options: Array<[name: string, options: object, accepted: string[]]> = [
	['Hours', { callingHours: { values: { ...hours, hours: odd } } }, []],
	['Holidays', { callingHours: { values: { ...hours, holidays: odd } } }, ["''"]],
	['Time Zone', { callingHours: { values: { ...hours, timeZone: odd } } }, []],
	['If Time Zone Is Unclear', { callingHours: { values: { ...hours, unclearTimeZone: odd } } }, []],
	['Given At', { consent: { values: { ...consent, givenAt: odd } } }, []],
	['Valid For (Days)', { consent: { values: { ...consent, validFor: odd } } }, []],
	['At Most', { frequencyCap: { values: { atMost: odd, days: 7 } } }, []],
	['Days', { frequencyCap: { values: { atMost: 3, days: odd } } }, []],
	['Blocked Numbers', { blockedNumbers: `={{ [${ODD.join(', ')}][$itemIndex] }}` }, []],
	['Missing Variables', { missingVariables: odd }, []],
	['Repeated Number', { repeatedNumber: odd }, []],
	['If Outside Hours', { ifOutside: odd }, []],
];

test.each(options)('an odd value of %s calls nobody', async (_name, added, accepted) => {
	const parameters = service.place({ missingVariables: 'ignore', ...added }, { testCall: 'always' });
	await service.run(parameters, to(...numbers), { node: goesOn });
	expect((await service.dialed()).toSorted()).toEqual(
		numbers.filter((_number, index) => accepted.includes(ODD[index])),
	);
});

test('an odd value of Test Call calls nobody', async () => {
	await service.run(service.place({}, { testCall: odd }), to(...numbers), { node: goesOn });
	expect(await service.dialed()).toEqual([]);
});

test('an odd value of If Already Queued queues nothing', async () => {
	await service.run(service.queue({ ifAlreadyQueued: odd }), to(...numbers), { node: goesOn });
	expect(await service.dialed()).toEqual([]);
});

test.each([' ', '', '0x10', '5 calls', [5], true, null, -1, 1.5, {}] as const)(
	'%j as a limit of the credential calls nobody, and the error names the limit',
	async (value) => {
		for (const [name, label] of [
			['callsPerRun', "'Calls per Run'"],
			['callsPerDay', "'Calls per Day'"],
		] as const) {
			const ran = await service.run(service.place(), to(...numbers), {
				credentials: service.credentials({ [name]: value as never }),
			});
			expect(saidBy(ran)).toContain(label);
		}
		expect(await service.dialed()).toEqual([]);
	},
);

test.each([
	{ maxCalls: ' ' },
	{ maxCallsPerHour: [5] },
	{ maxCalls: '5 calls' },
	{ maxCallsPerHour: true },
	{ allowedPrefixes: ' ' },
	{ allowedPrefixes: true },
])('a tool with %j calls nobody', async (limits) => {
	const parameters = service.place({}, { phoneNumber: numbers[0], testCall: 'always', ...limits });
	const call = await harness.mcpTool({ parameters }, { credentials: service.credentials(), workflowId: randomUUID() });
	await call({});
	expect(await service.dialed()).toEqual([]);
});

test.each(['BST', 'IST', 'CST', 'EST', '+02:00', ' '])('no campaign gets the time zone %j', async (timezone) => {
	const create = {
		...{ resource: 'campaign', operation: 'create', name: 'New', startDate: '2031-01-01', timezone },
		agent: service.place().agent,
	};
	const update = {
		...{ resource: 'campaign', operation: 'update', updateFields: { timezone } },
		campaign: service.queue().campaign,
	};
	for (const parameters of [create, update]) {
		expect(saidBy(await service.run(parameters))).toContain("'Time Zone Name or ID'");
	}
	expect(await service.requests('P', 'campaigns')).toEqual([]);
});
