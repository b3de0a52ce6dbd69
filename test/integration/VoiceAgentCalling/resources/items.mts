import type { NodeSpec } from '../../harness.mts';
import type { Service } from '../../service.mts';

/** The JSON of a failed item, with On Error set to continue. */
export const failed = (code: string, more: Record<string, unknown> = {}) => ({ result: 'failed', code, ...more });

/**
 * Runs an operation with On Error set to continue, and expects one result for each item, linked to it.
 *
 * @returns the requests, each as method, path after `/api/v1/` and body
 */
export async function expectItems(
	service: Service,
	parameters: NodeSpec['parameters'],
	items: Array<Record<string, unknown>>,
	expected: Array<Record<string, unknown>>,
): Promise<Array<[method: string, path: string, body?: unknown]>> {
	const { length } = await service.requests();
	const { outputs } = await service.run(parameters, items, { node: { onError: 'continueRegularOutput' } });
	expect(outputs[0]).toMatchObject(expected.map((json, item) => ({ json, pairedItem: { item } })));
	const requests = (await service.requests()).slice(length);
	return requests.map(({ method, path, body }) => {
		const short = path.replace('/api/v1/', '');
		return body === undefined ? [method, short] : [method, short, body];
	});
}
