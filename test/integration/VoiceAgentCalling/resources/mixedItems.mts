import type { RequestRecord } from '../../../../sandbox/world/requestRecord.mts';
import type { NodeSpec } from '../../harness.mts';
import type { Service } from '../../service.mts';

type Item = Record<string, unknown>;

interface Mixed {
	/** The output items of each good item, in order. */
	good: Item[][];
	/** The requests of the run. */
	requests: RequestRecord[];
	/** The output for the item that the service rejected. */
	refusal: Item;
}

/**
 * Runs an operation with valid items and, between them, one that the service rejects and one that the node rejects,
 * with On Error set to continue. Asserts that both fail in their position and the others succeed, and that the node
 * sends no request for the item that it rejects.
 *
 * @param code the error code of the item that the service rejects
 */
export async function runMixed(
	service: Service,
	parameters: NodeSpec['parameters'],
	{ good, refused, wrong, code }: { good: Item[]; refused: Item; wrong: Item; code: string },
): Promise<Mixed> {
	const node = { onError: 'continueRegularOutput' as const };
	const before = (await service.requests()).length;
	const alone = await service.run(parameters, [wrong], { node });
	const invalid = { result: 'failed', code: expect.stringMatching(/^INVALID_(INPUT|PHONE_NUMBER)$/) };
	expect(alone.outputs[0]).toMatchObject([{ json: invalid, pairedItem: { item: 0 } }]);
	expect(await service.requests()).toHaveLength(before);

	const [first, ...rest] = good;
	const items = [first, refused, wrong, ...rest] as Item[];
	const { outputs, run } = await service.run(parameters, items, { node });
	expect(run.status).toBe('success');
	const of = (wanted: number) =>
		(outputs[0] ?? [])
			.filter(({ pairedItem }) => (pairedItem as { item: number }).item === wanted)
			.map(({ json }) => json as Item);
	expect([of(1), of(2)]).toMatchObject([[{ result: 'failed', code }], [invalid]]);
	return {
		good: [of(0), ...rest.map((_item, index) => of(index + 3))],
		requests: (await service.requests()).slice(before),
		refusal: of(1)[0] as Item,
	};
}

/** Returns requests as method, path after `/api/v1/`, and body. */
export function sent(requests: readonly RequestRecord[]): unknown[] {
	return requests.map(({ method, path, body }) => [method, path.replace('/api/v1/', ''), body ?? null]);
}
