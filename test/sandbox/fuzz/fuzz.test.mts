import { root } from '../../../scripts/lib/places.mts';
import { runCaptured } from '../../../scripts/lib/process.mts';

test('random requests to every route end in no internal error, hang or unknown response, and break nothing later', async () => {
	const seed = process.env.FAST_CHECK_SEED ?? '1';
	const command = ['scripts/simulation.mts', 'fuzz', '--requests', '1000', '--seed', seed];
	const { status, output } = await runCaptured(command, root);
	expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^\d{4} requests/) });
	const statuses = JSON.parse(/\{.*\}/.exec(output)![0]) as Record<string, number>;
	// Many requests are accepted, and many are refused.
	for (const first of ['2', '4']) {
		const counts = Object.entries(statuses).filter(([one]) => one.startsWith(first));
		expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(250);
	}
	// A busy machine is no reason to fail.
}, 300_000);
