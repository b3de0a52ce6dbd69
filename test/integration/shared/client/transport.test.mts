import { createServer } from 'node:http';

import { listen } from '../../listen.mts';
import { goesOn, jsonOf, retried, saidBy, to, useService } from '../../service.mts';

const service = useService();

const one = to('+12025550111');

test.each<[string, unknown]>([
	['has an empty list instead of the call', { success: true, data: [] }],
	['says both success and failure', { success: false, message: 'Blocked', data: { id: 'a' } }],
	['has a text for the call', { success: true, data: 'queued' }],
])('a call is unknown and is not sent again when the answer %s', async (_when, body) => {
	await service.answer('POST', 200, body);
	const ran = await service.run(service.place(), one, { node: retried });
	expect(ran.tries).toBe(3);
	expect(saidBy(ran)).toMatch(/Outcome unknown.*phone may be ringing/s);
	expect(await service.dialed()).toHaveLength(1);
});

test('the context arrives with all of its keys, also those that JavaScript gives a meaning to', async () => {
	const metadataJson =
		'{"constructor":"ACME","prototype":1,"__proto__":{"to":"x"},"toString":"t","in":{"constructor":2,"__proto__":3}}';
	await service.run(service.place({ metadataJson }), one);
	const [request] = await service.requests('POST');
	expect(JSON.stringify((request?.body as { context: unknown }).context)).toBe(metadataJson);
});

test('a token that was copied with an invisible character works, and is hidden all the same', async () => {
	const credentials = service.credentials({ environmentToken: `${service.token.replace(/^../, '$&\u200b')}\n` });
	expect((await service.run(service.place(), one, { credentials })).run.status).toBe('success');
	await service.answer('POST', 400, { message: `Blocked: ${service.token}` });
	expect(saidBy(await service.run(service.place(), one, { credentials }))).toContain('Blocked: [hidden]');
});

test('an answer that trickles in forever does not hold the run: the outcome is unknown', async () => {
	const server = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const drip = setInterval(() => response.write(' '), 50);
		// Without a time limit, the call would be placed in the end.
		const end = setTimeout(() => response.end('{"success": true, "data": {"id": "late"}}'), 15_000);
		response.on('close', () => {
			clearInterval(drip);
			clearTimeout(end);
		});
	});
	const credentials = service.credentials({ baseUrl: `http://127.0.0.1:${await listen(server)}` });
	const parameters = service.place({ missingVariables: 'ignore' }, { sending: { requestTimeout: 1 } });
	const ran = await service.run(parameters, one, { credentials, node: goesOn });
	const message = expect.stringContaining('did not answer within the request timeout');
	expect(jsonOf(ran)).toMatchObject([{ result: 'unknown', message }]);
});
