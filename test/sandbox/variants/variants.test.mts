import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readCommandLine, UsageError, variantsText } from '../../../sandbox/commandLine.mts';
import { variants } from '../../../sandbox/variants/index.mts';
import type { VariantSection } from '../../../sandbox/world/variant.mts';
import { root } from '../../../scripts/lib/places.mts';
import { asList, asText, type SandboxClient, startClient } from '../client.mts';
import { MOMENT, type Recording, record } from './replay.mts';
import type { CHAPTERS } from './requests.mts';

/** What is counted in the rate limit is not in the recording. */
const ofLimits = variants.filter(({ section }) => section === 'limits');
const ofWire = variants.filter(({ section }) => section !== 'limits');

/** In which chapter a section shows first, for speed. */
const CHAPTER_OF: Partial<Record<VariantSection, keyof typeof CHAPTERS>> = {
	...{ webhooks: 'webhooks', files: 'files', trunks: 'trunks', calendars: 'calendars', campaigns: 'campaigns' },
	...{ events: 'campaigns', signatures: 'campaigns', errors: 'errors', answers: 'campaigns', agents: 'calls' },
	...{ actions: 'calls', calls: 'calls' },
};

/** The rows of the page: section, question, and the last column. */
const rows = readFileSync(join(root, 'docs', 'contributing', 'assumptions.md'), 'utf8')
	.split(/^## /m)
	.slice(1)
	.flatMap((part) =>
		[...part.matchAll(/^\| (?!Question)(.+) \|$/gm)].map(([, row = '']) => {
			const cells = row.split(' | ');
			return {
				section: part.split('\n', 1)[0],
				question: cells[0]!,
				variant: cells.at(-1)!.trim(),
				cells: cells.length,
			};
		}),
	);

describe('the variants', () => {
	it('are at least 60, with names of their own', () => {
		expect(variants.length).toBeGreaterThanOrEqual(60);
		expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length);
		expect(variants.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name))).toEqual([]);
	});

	it('each answer a question of docs/contributing/assumptions.md, in the row that names them', () => {
		const wrong = variants.filter(({ name, question }) => {
			const asked = rows.filter((row) => row.question === question);
			return !asked.some(({ variant }) => variant.includes(`\`${name}\``));
		});
		expect(wrong.map(({ name, question }) => `${name}: ${question}`)).toEqual([]);
	});

	it('are all that docs/contributing/assumptions.md names, and each row names one or says why there is none', () => {
		const names = variants.map(({ name }) => name);
		for (const { question, variant } of rows) {
			const named = [...variant.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+)`/g)].map(([, name]) => name);
			expect({ question, unknown: named.filter((name) => !names.includes(name!)) }).toEqual({ question, unknown: [] });
			expect({ question, variant }).toEqual({ question, variant: expect.stringMatching(/\w{2}/) });
		}
		expect(rows.length).toBeGreaterThan(240);
	});
});

describe('a sandbox with a variant', () => {
	let recording: Recording;
	beforeAll(async () => {
		recording = await record();
	});
	afterAll(() => recording.close());

	it('sends the same as ever without one', async () => {
		expect(await recording.difference([])).toBeUndefined();
	});

	it.each(ofWire.map(({ name, does, section }) => [name, does, section] as const))(
		'%s %s',
		async (name, _does, section) => {
			const found = await recording.difference([name], CHAPTER_OF[section]);
			expect(found).toBeDefined();
			expect(found!.is).not.toContain('Internal server error');
		},
	);
});

describe('a sandbox with a rate limit and a variant', () => {
	let service: SandboxClient;
	let moment = MOMENT;
	const { itsGlobal } = globalThis.sandbox;
	const { now } = itsGlobal.Date;
	beforeAll(async () => {
		itsGlobal.Date.now = () => moment;
		service = await startClient({ seed: 1, startTime: MOMENT, speed: 0, rateLimit: 3 });
	});
	afterAll(async () => {
		itsGlobal.Date.now = now;
		await service.close();
	});

	/** What is answered within the limit, beyond it, and in the next window. */
	async function answers(names: string[]): Promise<string> {
		moment = MOMENT;
		await service.control('variants', { names });
		await service.control('reset', {});
		const agent = `/agents/${service.seed.agents.published}`;
		const sent = [];
		for (const [seconds, method, path] of [
			...[0, 40, 0].map((pause) => [pause, 'GET', '/agents?per_page=1'] as const),
			[0, 'GET', '/agents'],
			[0, 'POST', `${agent}/call`],
			[0, 'POST', `/campaigns/${service.seed.campaigns.active}/call`],
			[25, 'GET', '/agents?per_page=1'],
		] as const) {
			moment += seconds * 1000;
			const { status, headers, data } = await service.api(method, path, method === 'GET' ? undefined : {});
			const { date: _date, ...rest } = headers;
			sent.push({ status, headers: rest, data });
		}
		return JSON.stringify(sent);
	}

	it.each(ofLimits.map(({ name, does }) => [name, does]))('%s %s', async (name) => {
		const usual = await answers([]);
		expect(await answers([])).toBe(usual);
		expect(await answers([name])).not.toBe(usual);
	});
});

describe('variants', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient({ variants: ['answer-without-data'] });
	});
	afterEach(() => service.close());

	const one = async () => (await service.api('GET', `/agents/${service.seed.agents.published}`)).data;
	const chosen = async () =>
		asList(await service.control('variants'))
			.filter((variant) => variant.chosen)
			.map(({ name }) => name);

	it('are there from the start, and stay after a reset and with a snapshot', async () => {
		expect(await one()).toHaveProperty('name');
		const snapshot = await service.snapshot();
		await service.control('reset', {});
		expect(await one()).toHaveProperty('name');
		expect((await service.controlResponse('POST', 'snapshot', snapshot)).status).toBe(200);
		expect(await one()).toHaveProperty('name');
		expect(await chosen()).toEqual(['answer-without-data']);
	});

	it('change while the sandbox runs, and tell so', async () => {
		expect(await service.control('variants', { names: ['agent-status-active', 'answer-post-201'] })).toEqual({
			success: true,
		});
		expect((await one()).data).toMatchObject({ current_status: 'active' });
		expect(await chosen()).toEqual(['agent-status-active', 'answer-post-201']);
		await service.control('variants', { names: [] });
		expect((await one()).data).toMatchObject({ current_status: 'published' });
	});

	it('change settings of the sandbox, and give them back', async () => {
		const signature = async () => asText((await service.control('status')).signature!.format);
		await service.control('variants', { names: ['signature-base64'] });
		expect(await signature()).toBe('base64');
		await service.control('reset', {});
		expect(await signature()).toBe('base64');
		await service.control('variants', { names: [] });
		expect(await signature()).toBe('hex');
	});

	it('have to be known', async () => {
		const { status, data } = await service.controlResponse('POST', 'variants', { names: ['answer-in-rhyme'] });
		expect([status, data.errors]).toEqual([422, { names: ['There is no variant "answer-in-rhyme".'] }]);
		expect(await chosen()).toEqual(['answer-without-data']);
		expect(() => readCommandLine(['--variant', 'answer-in-rhyme'])).toThrow(
			new UsageError('There is no variant "answer-in-rhyme". --list-variants lists them.'),
		);
	});

	it('are read from the command line, and listed', () => {
		const { variants: names } = readCommandLine(['--variant', 'event-list,signature-svix']);
		expect(names).toEqual(['event-list', 'signature-svix']);
		const lines = variantsText().trimEnd().split('\n');
		expect(lines).toHaveLength(variants.length);
		expect(lines.every((line) => /^[a-z0-9-]+ {2,}[a-z]/.test(line))).toBe(true);
	});

	it('with numbers as identifiers take them back in paths, queries and bodies', async () => {
		await service.control('variants', { names: ['answer-ids-numbers'] });
		const { data } = await service.api('GET', '/agents?status=published');
		const [agent] = asList(data.data);
		expect(typeof agent!.id).toBe('number');
		const id = String(agent!.id);
		expect((await service.api('GET', `/agents/${id}`)).data.data).toMatchObject({ id: agent!.id, name: agent!.name });
		const placed = await service.api('POST', '/calls', { agent_id: agent!.id, to: '+12025550001' });
		expect(placed.data.data).toMatchObject({ id: expect.any(Number), agent_id: agent!.id });
		const calls = asList((await service.api('GET', `/calls?agent_id=${id}&per_page=1`)).data.data);
		expect(calls).toMatchObject([{ id: placed.data.data.id }]);
		const ended = await service.api('POST', `/agents/${id}/end-call`, { call_sid: String(placed.data.data.id) });
		expect(ended.data.data).toMatchObject({ id: placed.data.data.id, status: 'completed' });
	});
});
