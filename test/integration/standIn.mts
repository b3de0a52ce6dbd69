import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const credential = `
exports.StandInApi = class {
	name = 'standInApi';
	displayName = 'Stand-In API';
	properties = [
		{ displayName: 'URL', name: 'url', type: 'string', default: '' },
		{ displayName: 'Token', name: 'token', type: 'string', default: 'the default' },
	];
	authenticate = async ({ token }, options) => ({ ...options, headers: { ...options.headers, authorization: token } });
};`;

const action = `
exports.StandIn = class {
	description = {
		displayName: 'Stand-In', name: 'standIn', group: ['transform'], version: 1, description: 'Stands in',
		defaults: { name: 'Stand-In' }, inputs: ['main'], outputs: ['main'],
		credentials: [{ name: 'standInApi', required: true, testedBy: 'probe' }],
		properties: [{ displayName: 'Text', name: 'text', type: 'string', default: '' }],
	};
	methods = { credentialTest: { async probe({ data: { url, token } }) {
		const headers = { authorization: token };
		const { statusCode } = await this.helpers.request({ url: url + '/probe', headers, simple: false, resolveWithFullResponse: true });
		return statusCode === 401 ? { status: 'Error', message: 'Wrong token' } : { status: 'OK', message: 'Connection successful!' };
	} }, listSearch: { async things(filter, token) {
		const { url } = await this.getCredentials('standInApi');
		return { results: [{ name: url + filter, value: token ?? 'first' }], paginationToken: 2 };
	} } };
	async execute() {
		const memory = this.getContext('node');
		memory.tries = (memory.tries ?? 0) + 1;
		const { url } = await this.getCredentials('standInApi');
		const items = [];
		for (let item = 0; item < this.getInputData().length; item += 1) {
			const text = this.getNodeParameter('text', item);
			if (text === 'throw once' && memory.tries === 1) throw new Error('Thrown once');
			const body = await this.helpers.httpRequestWithAuthentication.call(this, 'standInApi', { url, method: 'POST', body: { text } });
			const error = text === 'fail' ? new Error('Failed item') : undefined;
			items.push({ json: { ...body, mode: this.getMode() }, pairedItem: { item }, ...(error && { error }) });
		}
		return [items];
	}
};`;

const trigger = `
exports.StandInTrigger = class {
	description = {
		displayName: 'Stand-In Trigger', name: 'standInTrigger', group: ['trigger'], version: 1, description: 'Stands in',
		defaults: { name: 'Stand-In Trigger' }, inputs: [], outputs: ['main'],
		credentials: [{ name: 'standInApi', required: true }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: 'noData', path: 'webhook' }],
		properties: [{ displayName: 'Fails', name: 'fails', type: 'number', default: 0 }],
	};
	webhookMethods = { default: {
		async checkExists() { return this.getWorkflowStaticData('node').url === this.getNodeWebhookUrl('default'); },
		async create() {
			const data = this.getWorkflowStaticData('node');
			data.tried = (data.tried ?? 0) + 1;
			if (data.tried <= this.getNodeParameter('fails')) throw new Error('Not yet');
			data.url = this.getNodeWebhookUrl('default');
			return true;
		},
		async delete() { delete this.getWorkflowStaticData('node').url; return true; },
	} };
	async webhook() {
		const data = this.getWorkflowStaticData('node');
		data.deliveries = (data.deliveries ?? 0) + 1;
		const { kind } = this.getBodyData();
		if (kind === 'throw') throw new Error('Thrown in webhook()');
		if (kind === 'refuse') { this.getResponseObject().status(401).send('Unauthorized').end(); return { noWebhookResponse: true }; }
		if (kind === 'ping') return { webhookResponse: 'pong' };
		return { workflowData: [[{ json: { raw: this.getRequestObject().rawBody.toString(), url: data.url } }]] };
	}
};`;

/** Writes a minimal built package with one node of each type to a temporary folder. Returns the folder. */
export function writeStandInPackage(): string {
	const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
	mkdirSync(join(folder, 'dist'));
	const files = {
		'StandInApi.credentials.js': credential,
		'StandIn.node.js': action,
		'StandInTrigger.node.js': trigger,
	};
	for (const [name, text] of Object.entries(files)) {
		writeFileSync(join(folder, 'dist', name), text);
	}
	const nodes = ['dist/StandIn.node.js', 'dist/StandInTrigger.node.js'];
	const n8n = { n8nNodesApiVersion: 1, nodes, credentials: ['dist/StandInApi.credentials.js'] };
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'n8n-nodes-stand-in', version: '1.0.0', n8n }));
	return folder;
}
