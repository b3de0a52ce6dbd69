import { reasonOf, runTasks } from '../../scripts/lib/generating.mts';

describe('generating', () => {
	/** Runs tasks that note their start and end; those in `failing` fail. */
	async function ran(tasks: Record<string, { after?: string[]; needs?: string }>, failing: string[] = []) {
		const log: string[] = [];
		const entries = Object.entries(tasks).map(([name, { after = [], needs }]) => {
			const run = async () => {
				log.push(`${name} starts`);
				await new Promise(setImmediate);
				log.push(`${name} ends`);
				return failing.includes(name) ? 'no good' : undefined;
			};
			return [name, { after, needs, run }] as const;
		});
		const failures = await runTasks(Object.fromEntries(entries), 2);
		return { log, failures };
	}

	test('goes on after a failure, also with what follows it, and names every failure at the end', async () => {
		const { log, failures } = await ran({ one: {}, two: {}, three: { after: ['one'] } }, ['one', 'three']);
		expect(log).toEqual(expect.arrayContaining(['one ends', 'two ends', 'three ends']));
		expect(failures).toEqual([
			['one', 'no good'],
			['three', 'no good'],
		]);
	});

	test('leaves out only what cannot run, and says so', async () => {
		const tasks = { build: {}, run: { after: ['build'], needs: 'build' }, page: { after: ['run'] } };
		const { log, failures } = await ran(tasks, ['build']);
		expect(log).toEqual(['build starts', 'build ends', 'page starts', 'page ends']);
		expect(failures).toEqual([
			['build', 'no good'],
			['run', 'not run: it needs build'],
		]);
	});

	test('starts what reads a file after what writes it, whatever the order of the names, and as much as fits', async () => {
		const { log } = await ran({ page: { after: ['one', 'absent'] }, one: {}, two: {} });
		expect(log.slice(0, 2)).toEqual(['one starts', 'two starts']);
		expect(log.indexOf('page starts')).toBeGreaterThan(log.indexOf('one ends'));
	});

	test('says what waits for itself', async () => {
		await expect(ran({ one: { after: ['two'] }, two: { after: ['one'] } })).rejects.toThrow('one, two');
	});

	test('gives the failed test and the first line of its reason, or why the file could not run', () => {
		const passed = { status: 'passed', title: 'good' };
		const failed = {
			status: 'failed',
			title: 'a page is written',
			failureMessages: ['Error: \u001b[31mno\u001b[39m\n at'],
		};
		expect(reasonOf({ testResults: [{ assertionResults: [passed, failed] }] }, 1)).toBe('a page is written: Error: no');
		expect(reasonOf({ testResults: [{ message: '  ● Test suite failed to run\n\n  Cannot find x\n' }] }, 1)).toBe(
			'Cannot find x',
		);
		expect(reasonOf({}, 3)).toBe('ended with status 3');
	});
});
