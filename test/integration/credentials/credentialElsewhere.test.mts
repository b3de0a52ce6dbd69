import { createServer } from 'node:http';
import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';

import { harness } from '../harness.mts';
import { listen } from '../listen.mts';

const token = ['environment', 'token', 'of-the-test'].join('-');

describe('the credential in n8n’s HTTP Request node', () => {
	let carried: Array<{ host: string; authorization: string | undefined }>;
	const start = async (status = 200, headers = {}) => {
		const own = createServer((request, response) => {
			carried.push({ host: request.headers.host ?? '', authorization: request.headers.authorization });
			response.writeHead(status, headers).end('{}');
		});
		return `127.0.0.1:${await listen(own)}`;
	};
	beforeEach(() => {
		carried = [];
	});

	/** A substitute for the HTTP Request node, which may use every credential. */
	const request = async (baseUrl: string, options: object) => {
		const loaded = await harness.loadPackage();
		const nodeTypes = { httpRequest: httpRequestNode(options) };
		const credential = { voiceAgentCallingApi: { baseUrl, environmentToken: token } };
		const node = { type: 'n8n-nodes-base.httpRequest' };
		return await harness.runNode(node, [{}], {
			package: { ...loaded, name: 'n8n-nodes-base', nodeTypes },
			credentials: credential,
		});
	};

	test('adds the token to requests to the origin of the Base URL', async () => {
		const own = await start();
		for (const options of [{ url: `http://${own}/api/v1/agents` }, { url: '/any', baseURL: `http://${own}` }]) {
			await request(`http://${own}`, options);
		}
		expect(carried).toEqual(Array(2).fill({ host: own, authorization: `Bearer ${token}` }));
	});

	test('adds nothing to requests to another origin', async () => {
		const [own, other] = [await start(), await start()];
		await request(`http://${own}`, { url: `http://${other}/` });
		await request(`http://${own}`, { url: `http://${own}@${other}/` });
		// The origin of the Base URL is the beginning of the address, and yet another one.
		await request('http://127.0.0.1', { url: `http://${other}/` });
		expect(carried.map(({ host, authorization }) => [host, authorization?.includes(token) ?? false])).toEqual(
			Array(3).fill([other, false]),
		);
	});

	test.each([301, 302, 303, 307, 308])('follows no redirect with the token: %i', async (status) => {
		const other = await start();
		const own = await start(status, { location: `http://${other}/elsewhere` });
		for (const method of ['GET', 'POST']) {
			const { status } = await request(`http://${own}`, { url: `http://${own}/`, method });
			expect(status).toBe('error');
		}
		expect(carried).toEqual(Array(2).fill({ host: own, authorization: `Bearer ${token}` }));
	});
});

function httpRequestNode(options: object): INodeType {
	return {
		description: {
			displayName: 'HTTP Request',
			name: 'httpRequest',
			defaults: { name: 'HTTP Request' },
			group: ['output'],
			version: 1,
			description: '',
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'voiceAgentCallingApi', required: true }],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			const requestOptions = options as IHttpRequestOptions;
			await this.helpers.httpRequestWithAuthentication.call(this, 'voiceAgentCallingApi', requestOptions);
			return [[{ json: {} }]];
		},
	};
}
