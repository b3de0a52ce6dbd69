import { root } from '../../../scripts/lib/places.mts';
import { runCaptured } from '../../../scripts/lib/process.mts';

test('random requests to every route end in no internal error, hang or unknown answer, and break nothing later', async () => {
	const seed = process.env.FAST_CHECK_SEED ?? '1';
	const { status, output } = await runCaptured(
		['scripts/simulation.mts', 'fuzz', '--requests', '1000', '--seed', seed],
		root,
	);
	expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/passed: \d{4} requests/) });
	// Many are accepted, and many are not.
	for (const first of ['2', '4']) {
		const counts = [...output.matchAll(new RegExp(`^${first}\\d\\d: (\\d+)$`, 'gm'))].map(([, count]) => Number(count));
		expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(250);
	}
	// A busy machine is no reason to fail.
}, 300_000);
