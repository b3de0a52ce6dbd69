import type { NodeSpec } from '../../harness.mts';
import { byId, type Fault, inFastTime, type Service, useService } from '../../service.mts';

const service = useService();

const status = (code: number, body?: unknown) => ({ kind: 'status', status: code, body }) as const;

/** What a service, or a proxy before it, may answer in place of the object that was asked for. */
const answers: Array<[string, Omit<Fault, 'match'>]> = [
	['404 with JSON', status(404, { success: false, message: 'Not found.' })],
	["404 of a proxy's page", status(404, 'Not Found')],
	['403', status(403)],
	['no data', status(200, { success: true })],
	['an empty list', status(200, { success: true, data: [] })],
	['a list that lacks pages', status(200, { success: true, data: [], pagination: { current_page: 1, last_page: 3 } })],
	['another object', status(200, { success: true, data: { id: 'b' } })],
	['a failure', status(200, { success: false, data: {} })],
	['HTML', { kind: 'malformed' }],
	['a closed connection', { kind: 'drop-before' }],
];

/** A check that protects a person or a promise: what it reads, and what must not be sent if it cannot be read. */
interface Check {
	reads: (seed: Service['seed']) => string;
	parameters: (service: Service) => NonNullable<NodeSpec['parameters']>;
	/** Settings of the credential. */
	credential?: Parameters<Service['credentials']>[0];
	sends?: string;
	/** Answers that say that nothing is in the way. */
	passes?: string[];
}

const to = { phoneNumber: '+12025550111' };
const place = (one: Service) => one.place({}, to);
const queue = (one: Service) => one.queue({}, to);
const always = { values: { hours: 'Daily 0-24', timeZone: 'UTC' } };
const calls = () => 'calls';
const agent = ({ agents }: Service['seed']) => `agents/${agents.published}`;
const campaign = ({ campaigns }: Service['seed']) => `campaigns/${campaigns.active}`;

const checks: Record<string, Check> = {
	'Calling Hours of a queued call': {
		reads: campaign,
		parameters: (one) => one.queue({ callingHours: always, missingVariables: 'ignore' }, to),
	},
	"Missing Variables in an agent's texts": { reads: agent, parameters: place },
	// The service has no flow for this agent.
	"Missing Variables in an agent's flow": {
		reads: (seed) => `${agent(seed)}/flow`,
		parameters: place,
		passes: ['404 with JSON'],
	},
	"Missing Variables of a campaign's agent": { reads: campaign, parameters: queue },
	"Missing Variables in the texts of a campaign's agent": { reads: agent, parameters: queue },
	'Frequency Cap': {
		reads: calls,
		parameters: (one) =>
			one.place({ missingVariables: 'ignore', frequencyCap: { values: { atMost: 9, days: 7 } } }, to),
		passes: ['an empty list'],
	},
	'Calls per Day': {
		reads: calls,
		parameters: place,
		credential: { callsPerDay: 9000 },
		passes: ['an empty list'],
	},
	// Nothing is booked.
	'Check Slot': {
		reads: ({ calendar }) => `calendars/${calendar}/events`,
		sends: '/events',
		passes: ['an empty list'],
		parameters: ({ seed: { calendar } }) => ({
			resource: 'calendarEvent',
			operation: 'create',
			calendar: byId(calendar),
			title: 'Visit',
			start: '2031-07-07T10:00:00Z',
			end: '2031-07-07T10:30:00Z',
			options: { checkSlot: true },
		}),
	},
	'Publish Afterwards: If It Was Published': {
		reads: agent,
		sends: '/training',
		parameters: ({ seed: { agents } }) => ({
			resource: 'agentTraining',
			operation: 'upsert',
			agent: byId(agents.published),
			subject: 'Prices',
			instructions: 'Give no discount.',
		}),
	},
};

describe.each(Object.entries(checks))('%s', (_name, check) => {
	const { reads, parameters, credential, sends = '/call', passes = [] } = check;
	const run = async () => {
		const credentials = service.credentials(credential);
		const { run: ended } = await inFastTime(async () => await service.run(parameters(service), [{}], { credentials }));
		return { status: ended.status, sent: (await service.requests('POST', sends)).length };
	};

	test('lets through what it can read', async () => {
		expect(await run()).toEqual({ status: 'success', sent: 1 });
	});

	test.each(answers)('with %s in place of it', async (answer, fault) => {
		await service.fault({ match: { method: 'GET', path: `/api/v1/${reads(service.seed)}` }, times: 100, ...fault });
		expect(await run()).toEqual(
			passes.includes(answer) ? { status: 'success', sent: 1 } : { status: 'error', sent: 0 },
		);
	});
});
