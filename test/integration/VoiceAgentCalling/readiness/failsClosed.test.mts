import type { NodeSpec } from '../../harness.mts';
import { byId, type Fault, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

/** What a service, or a proxy before it, may answer in place of the object that was asked for. */
const answers: Array<[string, Omit<Fault, 'match'>]> = [
	['404 with JSON', { kind: 'status', status: 404, body: { success: false, message: 'Not found.' } }],
	['404 of a gateway', { kind: 'status', status: 404, body: { message: 'Not Found' } }],
	["404 of a proxy's page", { kind: 'status', status: 404, body: 'Not Found' }],
	['204', { kind: 'status', status: 204 }],
	['no data', { kind: 'status', status: 200, body: { success: true } }],
	['an empty list', { kind: 'status', status: 200, body: { success: true, data: [] } }],
	['an object without ID', { kind: 'status', status: 200, body: { success: true, data: {} } }],
	['another object', { kind: 'status', status: 200, body: { success: true, data: { id: 'b' } } }],
	['null', { kind: 'status', status: 200, body: { success: true, data: null } }],
	['a failure', { kind: 'status', status: 200, body: { success: false, data: {} } }],
	['a text', { kind: 'status', status: 200, body: { success: true, data: 'ok' } }],
	['HTML', { kind: 'malformed' }],
	['a closed connection', { kind: 'drop-before' }],
	['500', { kind: 'status', status: 500, body: { success: false, message: 'Broken.' } }],
];

/** A check that protects a person or a promise: what it reads, and what must not be sent if it cannot be read. */
interface Check {
	reads: (seed: Service['seed']) => string;
	parameters: (seed: Service['seed']) => NonNullable<NodeSpec['parameters']>;
	sends: string;
	/** Answers that say that nothing is in the way. */
	passes?: string[];
}

const always = { values: { from: '00:00', to: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timeZone: 'UTC' } };
const place = ({ agents }: Service['seed']) => ({
	...{ resource: 'call', operation: 'place', phoneNumber: '+12025550111' },
	agent: byId(agents.published),
});
const queue = ({ campaigns }: Service['seed']) => ({
	...{ resource: 'campaign', operation: 'queueCall', phoneNumber: '+12025550111' },
	campaign: byId(campaigns.active),
});

const checks: Record<string, Check> = {
	'Calling Hours of a queued call': {
		reads: ({ campaigns }) => `/api/v1/campaigns/${campaigns.active}`,
		parameters: (seed) => ({
			...queue(seed),
			agentVariables: { mappingMode: 'defineBelow', value: {} },
			options: { callingHours: always, missingVariables: 'ignore' },
		}),
		sends: '/call',
	},
	"Missing Variables in an agent's texts": {
		reads: ({ agents }) => `/api/v1/agents/${agents.published}`,
		parameters: place,
		sends: '/call',
	},
	"Missing Variables in an agent's flow": {
		reads: ({ agents }) => `/api/v1/agents/${agents.published}/flow`,
		parameters: place,
		sends: '/call',
		// The service has no flow for this agent.
		passes: ['404 with JSON'],
	},
	"Missing Variables of a campaign's agent": {
		reads: ({ campaigns }) => `/api/v1/campaigns/${campaigns.active}`,
		parameters: queue,
		sends: '/call',
	},
	"Missing Variables in the texts of a campaign's agent": {
		reads: ({ agents }) => `/api/v1/agents/${agents.published}`,
		parameters: queue,
		sends: '/call',
	},
	'Check Slot': {
		reads: ({ calendar }) => `/api/v1/calendars/${calendar}/events`,
		parameters: ({ calendar }) => ({
			...{ resource: 'calendarEvent', operation: 'create', calendar: byId(calendar), title: 'Visit' },
			...{ start: '2031-07-07T10:00:00Z', end: '2031-07-07T10:30:00Z', options: { checkSlot: true } },
		}),
		sends: '/events',
		// Nothing is booked.
		passes: ['an empty list'],
	},
	'Publish Afterwards: If It Was Published': {
		reads: ({ agents }) => `/api/v1/agents/${agents.published}`,
		parameters: ({ agents }) => ({
			...{ resource: 'agentTraining', operation: 'upsert', agent: byId(agents.published) },
			...{ subject: 'Prices', instructions: 'Give no discount.' },
		}),
		sends: '/training',
	},
};

describe.each(Object.entries(checks))('%s', (_name, { reads, parameters, sends, passes = [] }) => {
	const run = async () => {
		const { run: ended } = await service.run(parameters(service.seed));
		return { status: ended.status, sent: (await service.requests('POST', sends)).length };
	};

	test('lets through what it can read', async () => {
		expect(await run()).toEqual({ status: 'success', sent: 1 });
	});

	test.each(answers)('with %s in place of it', async (answer, fault) => {
		await service.fault({ match: { method: 'GET', path: reads(service.seed) }, times: 100, ...fault });
		const isFine = passes.includes(answer);
		expect(await run()).toEqual({ status: isFine ? 'success' : 'error', sent: isFine ? 1 : 0 });
	});
});
