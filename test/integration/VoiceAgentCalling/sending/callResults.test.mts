import { type CallCase, type CaseName, callCases } from '../../../docs/callResults.mts';
import { harness } from '../../harness.mts';
import { goesOn, jsonOf, to, useService } from '../../service.mts';
import { teach } from '../callRules/ruledCalls.mts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

// A Monday in Berlin at one o'clock; nothing is called at midnight.
beforeAll(() => harness.skipTime(Date.parse('2031-01-13T12:00:00Z') - Date.now()));
const service = useService();
afterAll(() => harness.restoreTime());

const BERLIN = '+493012345678';
const ignore = { missingVariables: 'ignore' };
const real = { testCall: 'never' };
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const hours = (more: object) => ({
	callingHours: {
		values: { hours: 'Mon-Fri 18-20', timeZone: 'fromNumber', ...more },
	},
});

type Run = { options?: object; more?: object; numbers?: string[]; credentials?: object; way?: 'queue' };

/** How each case comes about; the last item is the one that counts. */
const provoke: Record<
	CaseName,
	(run: (how?: Run) => Promise<Record<string, unknown>>) => Promise<Record<string, unknown>>
> = {
	placed: (run) => run(),
	queued: (run) => run({ way: 'queue' }),
	'queued before': async (run) => {
		await run({ way: 'queue' });
		return await run({ way: 'queue' });
	},
	'the number of another item': (run) => run({ numbers: [BERLIN, '+49 30 12345678'] }),
	'no clear answer': async (run) => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		return await run();
	},
	'outside the hours': (run) => run({ options: hours({}) }),
	'in no clear time zone': (run) => run({ options: hours({}), numbers: ['+80012345678'] }),
	blocked: (run) => run({ options: { blockedNumbers: BERLIN } }),
	'without consent': (run) =>
		run({
			options: { consent: { values: { givenAt: '2020-01-01T00:00:00Z', validFor: 30, purpose: '', reference: '' } } },
		}),
	'called too often': async (run) => {
		await run();
		return await run({ options: { frequencyCap: { values: { atMost: 1, days: 1 } } } });
	},
	'beyond the limit of the run': (run) =>
		run({ numbers: ['+493012345679', BERLIN], credentials: service.credentials({ callsPerRun: 1 }) }),
	'beyond the limit of the day': (run) => run({ credentials: service.credentials({ callsPerDay: 1 }) }),
	'without a variable': async (run) => {
		await teach(service, 'You call {{name}}.');
		return await run({ options: { missingVariables: 'fail' } });
	},
	'whose variables could not be read': async (run) => {
		await service.fault({ match: { method: 'GET' }, kind: 'latency', ms: 3000, times: 9 });
		return await run({ options: { missingVariables: 'fail' }, more: { sending: { requestTimeout: 1 } } });
	},
	'that is no number': (run) => run({ numbers: ['030 12345678'] }),
	'with a mistake in settings of all items': (run) => run({ options: { blockedNumbers: 'nobody' } }),
	'refused as it is': async (run) => {
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 422 });
		return await run();
	},
	'with an expired token': (run) =>
		run({ credentials: service.credentials({ environmentToken: `${service.token}-expired` }) }),
	'without credits': async (run) => {
		await service.control('credits', { credits: 0 });
		return await run();
	},
	'for a draft agent': (run) => run({ more: { agent: { __rl: true, mode: 'id', value: service.seed.agents.draft } } }),
	'for a paused campaign': (run) =>
		run({ way: 'queue', more: { campaign: { __rl: true, mode: 'id', value: service.seed.campaigns.paused } } }),
	'for an agent that is gone': (run) =>
		run({ more: { agent: { __rl: true, mode: 'id', value: '11111111-2222-4333-8444-555555555555' } } }),
	'while nothing listens': (run) => run({ credentials: service.credentials({ baseUrl: 'http://127.0.0.1:9' }) }),
	'after one that failed for all': (run) =>
		run({
			numbers: ['+493012345679', BERLIN],
			credentials: service.credentials({ environmentToken: `${service.token}-expired` }),
		}),
	'with the number of an unclear one': async (run) => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		return await run({ numbers: [BERLIN, BERLIN] });
	},
};

test.each(Object.entries(callCases) as Array<[CaseName, CallCase]>)(
	'%s: the item says so, and when another run may call it',
	async (name, { result, code, is }) => {
		const item = await provoke[name](async ({ options = {}, more = {}, numbers = [BERLIN], credentials, way } = {}) => {
			const node = service[way ?? 'place']({ ...ignore, ...options }, { ...real, ...inTurn, ...more });
			const given = credentials === undefined ? {} : { credentials };
			const ran = await service.run(node, to(...numbers), { node: goesOn, ...given } as never);
			return jsonOf(ran).at(-1)!;
		});
		expect(item).toMatchObject({ result, code });
		const at = item.nextAllowedAt;
		const wait = Date.parse(String(at)) - Date.now();
		if (is === 'later') {
			expect(wait).toBeGreaterThan(0);
			expect(wait).toBeLessThanOrEqual(DAY_MS + HOUR_MS);
		} else if (is === 'now') {
			expect(Math.abs(wait)).toBeLessThan(HOUR_MS);
			expect(wait).toBeLessThanOrEqual(0);
		} else {
			expect(at).toBe(is === 'called' ? undefined : null);
		}
	},
);
