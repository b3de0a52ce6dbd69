import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readCommandLine, variantsText } from '../../../sandbox/commandLine.mts';
import { variants } from '../../../sandbox/variants/index.mts';
import { root } from '../../../scripts/lib/places.mts';
import { asList, asText } from '../client.mts';
import { useService } from '../use.mts';

/** Returns the rows of the page that name variants: the question and the last column. */
const rows = [
	...readFileSync(join(root, 'docs', 'contributing', 'assumptions.md'), 'utf8').matchAll(/^\| (?!Question)(.+) \|$/gm),
]
	.map(([, row = '']) => row.replace(/<a id="[^"]*"><\/a>/, '').split(' | '))
	.map((cells) => ({ question: cells[0]!, variant: cells.at(-1)!.trim() }));

describe('the variants', () => {
	const names = variants.map(({ name }) => name);

	it('have unique names, and each belongs to a question of docs/contributing/assumptions.md, in the row that names it', () => {
		expect(new Set(names).size).toBe(names.length);
		expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(name))).toEqual([]);
		const isNamed = ({ name, question }: (typeof variants)[number]) =>
			rows.some((row) => row.question === question && row.variant.includes(`\`${name}\``));
		expect(variants.filter((variant) => !isNamed(variant)).map(({ name }) => name)).toEqual([]);
	});

	it('are all that the last columns of docs/contributing/assumptions.md name', () => {
		const named = rows
			.filter(({ variant }) => /^`[a-z]+(-[a-z0-9]+)+`/.test(variant))
			.flatMap(({ variant }) => [...variant.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name!));
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
		expect(new Set(named).size).toBe(names.length);
	});
});

describe('variants', () => {
	const service = useService({ variants: ['answer-without-data'] });
	beforeEach(() => service.control('variants', { names: ['answer-without-data'] }));
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

	it('change while the sandbox runs, with settings of the sandbox, which are given back', async () => {
		const signature = async () => asText((await service.control('status')).signature!.format);
		const names = ['agent-status-active', 'answer-post-201', 'signature-sha256'];
		await service.control('variants', { names });
		await service.control('reset', {});
		expect((await one()).data).toMatchObject({ current_status: 'active' });
		expect([await chosen(), await signature()]).toEqual([expect.arrayContaining(names), 'sha256=hex']);
		await service.control('variants', { names: [] });
		expect([(await one()).data.current_status, await signature()]).toEqual(['published', 'hex']);
	});

	it('have to be known', async () => {
		const { status, data } = await service.controlResponse('POST', 'variants', { names: ['answer-in-rhyme'] });
		expect([status, data.errors]).toEqual([422, { names: ['The variant "answer-in-rhyme" does not exist.'] }]);
		expect(await chosen()).toEqual(['answer-without-data']);
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
