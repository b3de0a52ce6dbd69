import { variants } from '../../../sandbox/variants/index.mts';
import { harness } from '../harness.mts';
import { type Service, startService } from '../service.mts';
import { jobs } from './jobs.mts';
import type { Section } from './touched.mts';
import { jobsOf } from './touched.mts';

let service: Service;
beforeAll(async () => {
	service = await startService({ speed: 0.001, minimumStatusMs: 0, rateLimit: 1_000_000 });
});
afterEach(() => harness.restoreTime());

const times: Record<string, number> = {};
afterAll(() => console.log(times, counts));
const counts: Record<string, number> = { works: 0, 'says so': 0 };

test.each(variants.map(({ name, section, does }) => [name, does, section as Section] as const))(
	'%s: where the service %s, the nodes work or say so',
	async (name, _does, section) => {
		const said: string[] = [];
		const wrong: string[] = [];
		for (const job of jobs.filter((one) => jobsOf(section).includes(one.name))) {
			await service.control('variants', { names: [] });
			await service.reset();
			service.n8nUrl = undefined;
			const started = performance.now();
			try {
				const prepared = (await job.prepare?.(service)) ?? {};
				await service.control('variants', { names: [name] });
				const verdict = await job.run(service, prepared);
				counts[verdict.is] = (counts[verdict.is] ?? 0) + 1;
				if (verdict.is === 'says so') said.push(`${job.name}: ${verdict.message}`);
			} catch (error) {
				wrong.push(`${job.name}: ${(error as Error).message}`);
			}
			times[job.name] = (times[job.name] ?? 0) + performance.now() - started;
		}
		if (process.env.VARIANTS_OUT)
			(await import('node:fs')).appendFileSync(process.env.VARIANTS_OUT, `${JSON.stringify({ name, said, wrong })}\n`);
		expect(wrong).toEqual([]);
	},
);
