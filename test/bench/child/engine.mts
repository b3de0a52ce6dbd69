import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ICredentialType, IExecuteFunctions, INodeExecutionData, INodeType, IRun } from 'n8n-workflow';

import { additionalData, StoredCredentials } from '../../integration/engine/credentials.mts';
import { core, n8n } from '../../integration/engine/n8n.mts';
import { KnownNodeTypes } from '../../integration/engine/nodeTypes.mts';
import type { LoadedPackage } from '../../integration/engine/package.mts';
import { execute } from '../../integration/engine/run.mts';
import { createWorkflow } from '../../integration/engine/workflow.mts';
import type { Step, Target } from '../job.mts';

const credential = 'voiceAgentCallingApi';
const baseFolder = dirname(createRequire(process.env.N8N_MODULES ?? '').resolve('n8n-nodes-base/package.json'));

const description = (name: string, parameters: string[]): INodeType['description'] => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs: ['main'],
	outputs: ['main'],
	credentials: [{ name: credential }],
	properties: parameters.map((parameter) => ({ displayName: parameter, name: parameter, type: 'string', default: '' })),
});

/** A node that outputs one item per contact, like the rows of a spreadsheet. */
const contacts: INodeType = {
	description: description('contacts', ['items', 'first']),
	async execute(this: IExecuteFunctions) {
		const length = this.getNodeParameter('items', 0) as number;
		const first = this.getNodeParameter('first', 0) as number;
		const contact = (at: number) => ({ id: at + 1, to: `+1202${5_550_100 + at}`, name: `Contact ${at + 1}` });
		return [Array.from({ length }, (_, index) => ({ json: contact(first + index) }))];
	},
};

/**
 * The minimum that a node must do to queue calls in n8n: it reads the fields of each item and sends them with n8n's
 * own helper, `inFlight` at a time. It does no validation, remembers nothing, and does not retry.
 */
const least: INodeType = {
	description: description('least', ['url', 'to', 'name', 'contact', 'inFlight']),
	async execute(this: IExecuteFunctions) {
		const url = this.getNodeParameter('url', 0) as string;
		const inputs = this.getInputData().map((_, index) => ({
			to: this.getNodeParameter('to', index),
			payload: { name: this.getNodeParameter('name', index) },
			context: { contact: this.getNodeParameter('contact', index) },
			is_testing: false,
		}));
		const output: INodeExecutionData[] = [];
		let next = 0;
		const work = async () => {
			while (next < inputs.length) {
				const item = next++;
				const request = { method: 'POST' as const, url, body: inputs[item], json: true };
				const answer = await this.helpers.httpRequestWithAuthentication.call(this, credential, request);
				output[item] = { json: answer.campaign_call, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('inFlight', 0) as number }, work));
		return [output];
	},
};

/**
 * Loads the installed package and n8n's HTTP Request node.
 *
 * @returns a function that queues a call for each of so many contacts, from the contact with the index `first` on
 */
export async function loadEngine(
	folder: string,
): Promise<(step: Step, target: Target, items: number, first: number) => Promise<IRun>> {
	const own = await load(folder);
	const base = new core.PackageDirectoryLoader(baseFolder);
	base.loadNodeFromFile(join('dist', 'nodes', 'HttpRequest', 'HttpRequest.node.js'));
	const httpRequest = n8n.NodeHelpers.getVersionedNodeType(base.nodeTypes.httpRequest!.type, 4.3);
	const others = new Map([
		['bench.contacts', contacts],
		['bench.least', least],
		['n8n-nodes-base.httpRequest', httpRequest],
	]);
	class BenchNodeTypes extends KnownNodeTypes {
		override getByNameAndVersion(type: string): INodeType {
			return others.get(type) ?? super.getByNameAndVersion(type);
		}
	}
	return async (step, target, items, first) => {
		const nodeTypes = new BenchNodeTypes(own);
		const credentials = { [credential]: { baseUrl: target.url, environmentToken: target.token } };
		const source = { name: 'Contacts', type: 'bench.contacts', parameters: { items, first } };
		const nodes = [source, { ...step, name: 'Send', credentials: { [credential]: { id: '1', name: credential } } }];
		const workflow = createWorkflow({ nodes: nodes as never, credentials }, nodeTypes);
		const data = additionalData(new StoredCredentials(own.credentialTypes, credentials));
		return (await execute(workflow, nodeTypes, data, 'trigger').result).stored;
	};
}

async function load(folder: string): Promise<LoadedPackage> {
	const loader = new core.PackageDirectoryLoader(folder);
	await loader.loadAll();
	const types = <T,>(map: Record<string, { type: unknown }>) =>
		Object.fromEntries(Object.entries(map).map(([name, { type }]) => [name, type as T]));
	return {
		name: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name,
		nodeTypes: types<INodeType>(loader.nodeTypes),
		credentialTypes: types<ICredentialType>(loader.credentialTypes),
	};
}
