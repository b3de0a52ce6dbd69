import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';

import { harness } from '../harness.mts';

const token = ['environment', 'token', 'of-the-test'].join('-');

describe('the credential in n8n’s HTTP Request node', () => {
	/** The authorization of each request to the two servers. */
	let carried: Array<{ host: string; authorization: string | undefined }>;
	const listen = async (answer: { status: number; location?: string }) => {
		const own = createServer((request, response) => {
			carried.push({ host: request.headers.host ?? '', authorization: request.headers.authorization });
			response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end('{}');
		});
		harness.closeAtEnd(async () => void own.close());
		await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
		return `127.0.0.1:${(own.address() as AddressInfo).port}`;
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
		const own = await listen({ status: 200 });
		for (const options of [{ url: `http://${own}/api/v1/agents` }, { url: '/any', baseURL: `http://${own}` }]) {
			await request(`http://${own}`, options);
		}
		expect(carried).toEqual(Array(2).fill({ host: own, authorization: `Bearer ${token}` }));
	});

	test('adds nothing to requests to another origin, nor after a redirect', async () => {
		const other = await listen({ status: 200 });
		const own = await listen({ status: 307, location: `http://${other}/elsewhere` });
		await request(`http://${own}`, { url: `http://${other}/` });
		await request(`http://${own}`, { url: `http://${own}@${other}/` });
		await request(`http://${own}`, { url: `http://${own}/`, method: 'POST', body: {} });
		expect(
			carried.filter(({ host }) => host === other).map(({ authorization }) => authorization?.includes(token) ?? false),
		).toEqual([false, false, false]);
		expect(carried.filter(({ host }) => host === own)).toEqual([{ host: own, authorization: `Bearer ${token}` }]);
	});
});

function httpRequestNode(options: object): INodeType {
	return {
		description: {
			displayName: 'HTTP Request',
			name: 'httpRequest',
			group: ['output'],
			version: 1,
			description: 'Stands in',
			defaults: { name: 'HTTP Request' },
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
