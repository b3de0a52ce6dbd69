import { getEventListeners } from 'node:events';

import { sendBy } from '../../../../nodes/shared/client/transport.ts';

test('Requests in flight share the listeners of their time limit: Node.js 20 warns of more than ten', async () => {
	const signals = jest.spyOn(AbortSignal, 'timeout');
	const connection = { base: new URL('https://service.example'), testCallsOnly: false, secrets: [] };
	const answer = async () => ({ statusCode: 200, headers: {}, body: {} });
	const requests = Array.from({ length: 30 }, async () => {
		return await sendBy(answer, connection, { method: 'GET', path: ['agents'] });
	});
	const listeners = signals.mock.results.map(({ value }) => getEventListeners(value, 'abort').length);
	expect(Math.max(...listeners)).toBe(1);
	await Promise.all(requests);
});
