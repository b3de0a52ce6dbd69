import { setTimeout as wait } from 'node:timers/promises';

import { Clock } from '../../../sandbox/time/clock.mts';

describe('the clock of a sandbox', () => {
	it('runs work in the order of its times, and in the order given for the same time', async () => {
		const clock = new Clock(1);
		const done: string[] = [];
		const now = clock.now();
		for (const [name, time] of Object.entries({ c: 20_000, a: 10_000, d: 20_000, b: 10_000 })) {
			clock.at(now + time, () => void done.push(`${name} ${Math.round(clock.now() - now)}`));
		}
		await clock.advance(60);
		expect(done).toEqual(['a 10000', 'b 10000', 'c 20000', 'd 20000']);
		clock.stop();
	});

	it('waits for each work and for what it starts before the next, and takes advances one by one', async () => {
		const clock = new Clock(1);
		const done: string[] = [];
		clock.after(10, async () => {
			await wait(20);
			done.push('slow');
			clock.after(5, () => void done.push('follow-up'));
			clock.track(wait(20).then(() => void done.push('tracked')));
		});
		clock.after(12, () => void done.push('later'));
		clock.after(40, () => void done.push('second advance'));
		await Promise.all([clock.advance(30), clock.advance(30)]);
		expect(done).toEqual(['slow', 'tracked', 'later', 'follow-up', 'second advance']);
		clock.stop();
	});

	it('starts what is due at once where the order matters, once, and not during an advance', async () => {
		const clock = new Clock(0);
		const done: string[] = [];
		clock.at(clock.now(), () => void done.push('due'));
		clock.after(1, () => void done.push('later'));
		clock.startDue();
		clock.startDue();
		expect(done).toEqual(['due']);
		const advanced = clock.advance(2);
		clock.after(1, () => {
			clock.startDue();
			done.push('last');
		});
		await advanced;
		expect(done).toEqual(['due', 'later', 'last']);
		clock.stop();
	});

	it('stops at the end of the year 9999, however it comes there', async () => {
		const end = Date.parse('9999-12-31T23:59:59.999Z');
		const advanced = new Clock(0, end - 10_000);
		await Promise.all([advanced.advance(9), advanced.advance(9)]);
		expect(advanced.now()).toBe(end);
		const fast = new Clock(1_000_000, end - 1000);
		await wait(20);
		expect(fast.now()).toBe(end);
	});

	it('drops cancelled work, and all work once it is stopped', async () => {
		const clock = new Clock(1);
		const done: string[] = [];
		const timer = clock.after(1, () => void done.push('cancelled'));
		timer.cancel();
		timer.cancel();
		clock.after(2, () => void done.push('run'));
		await clock.advance(10);
		clock.after(1, () => void done.push('stopped'));
		clock.stop();
		clock.after(1, () => void done.push('too late'));
		await clock.advance(10);
		expect(done).toEqual(['run']);
	});

	it('runs at its speed before and after an advance', async () => {
		const clock = new Clock(100);
		const started = clock.now();
		const reached = (seconds: number) => new Promise<void>((resolve) => clock.at(started + seconds * 1000, resolve));
		const real = Date.now();
		await reached(10);
		await clock.advance(3600);
		await reached(3620);
		expect(Date.now() - real).toBeGreaterThanOrEqual(150);
		expect(clock.now() - started).toBeGreaterThanOrEqual(3_620_000);
		clock.stop();
	});

	it('reports work that fails and goes on', async () => {
		const clock = new Clock(1);
		const report = jest.spyOn(console, 'error').mockImplementation(() => {});
		const done: string[] = [];
		clock.after(1, () => {
			throw new Error('broken');
		});
		clock.after(2, () => void done.push('next'));
		await clock.advance(5);
		expect(done).toEqual(['next']);
		expect(report).toHaveBeenCalledTimes(1);
		report.mockRestore();
		clock.stop();
	});
});
