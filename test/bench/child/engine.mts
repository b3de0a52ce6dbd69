import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { IExecuteFunctions, INodeExecutionData, INodeType, IRun, IVersionedNodeType } from 'n8n-workflow';

import { additionalData, StoredCredentials } from '../../integration/engine/credentials.mts';
import { core, n8n } from '../../integration/engine/n8n.mts';
import { KnownNodeTypes } from '../../integration/engine/nodeTypes.mts';
import type { LoadedPackage } from '../../integration/engine/package.mts';
import { execute } from '../../integration/engine/run.mts';
import { createWorkflow, type NodeSpec } from '../../integration/engine/workflow.mts';
import { contact, type Job, type Sender } from '../job.mts';
import { source } from '../senders.mts';

const credential = 'voiceAgentCallingApi';
const baseFolder = dirname(createRequire(process.env.N8N_MODULES ?? '').resolve('n8n-nodes-base/package.json'));

/** n8n's own nodes in the benchmarked workflows. */
const baseNodes = {
	httpRequest: 'HttpRequest/HttpRequest',
	noOp: 'NoOp/NoOp',
	splitOut: 'Transform/SplitOut/SplitOut',
};

type Parameters = INodeType['description']['properties'];

const description = (name: string, properties: Parameters): INodeType['description'] => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs: ['main'],
	outputs: ['main'],
	credentials: [{ name: credential }],
	properties,
});
const parameter = (name: string, type: 'number' | 'string'): Parameters[number] => ({
	displayName: name,
	name,
	type,
	default: '',
});

/** A node that outputs one item per contact. */
const contacts: INodeType = {
	description: description('contacts', [parameter('items', 'number'), parameter('first', 'number')]),
	async execute(this: IExecuteFunctions) {
		const length = this.getNodeParameter('items', 0) as number;
		const first = this.getNodeParameter('first', 0) as number;
		return [Array.from({ length }, (_, index) => ({ json: contact(first + index) }))];
	},
};

/**
 * The minimum that a node must do to queue calls in n8n: it reads the fields of each item and sends them with n8n's
 * own helper, `inFlight` at a time. It does no validation, remembers nothing, and does not retry.
 */
const least: INodeType = {
	description: description('least', [
		parameter('url', 'string'),
		...['to', 'name', 'contact'].map((name) => parameter(name, 'string')),
		parameter('inFlight', 'number'),
	]),
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

/** Counts how often nodes read a parameter from now on. @returns a function that ends it and gives the number */
export function countReads(): () => number {
	type Reader = { _getNodeParameter(...parameters: unknown[]): unknown };
	let context = core.ExecuteContext.prototype as unknown as Reader;
	while (!Object.hasOwn(context, '_getNodeParameter')) {
		context = Object.getPrototypeOf(context) as Reader;
	}
	const original = context._getNodeParameter;
	let count = 0;
	context._getNodeParameter = function (...parameters) {
		count++;
		return original.apply(this, parameters);
	};
	return () => {
		context._getNodeParameter = original;
		return count;
	};
}

const ownNodes: Record<string, INodeType> = { 'bench.contacts': contacts, 'bench.least': least };

/** The package under test, n8n's own nodes, and the nodes of this file. */
class BenchNodeTypes extends KnownNodeTypes {
	private readonly base: Record<string, INodeType | IVersionedNodeType>;

	constructor(own: LoadedPackage, base: Record<string, INodeType | IVersionedNodeType>) {
		super(own);
		this.base = base;
	}

	override getByNameAndVersion(type: string, version?: number): INodeType {
		const node = ownNodes[type] ?? this.base[type];
		return node ? n8n.NodeHelpers.getVersionedNodeType(node, version) : super.getByNameAndVersion(type);
	}
}

/**
 * Loads the installed package and n8n's own nodes.
 *
 * @returns a function that runs a workflow, from the contact with the index `first` on
 */
export async function loadEngine(folder: string): Promise<(job: Job, first?: number) => Promise<IRun>> {
	const own = await load(folder);
	const base = new core.PackageDirectoryLoader(baseFolder);
	for (const path of Object.values(baseNodes)) {
		base.loadNodeFromFile(join('dist', 'nodes', `${path}.node.js`));
	}
	const baseTypes = Object.entries(base.nodeTypes).map(([name, { type }]) => [`n8n-nodes-base.${name}`, type]);
	return async ({ sender, target, items }, first = 0) => {
		const nodeTypes = new BenchNodeTypes(own, Object.fromEntries(baseTypes));
		const data = { [credential]: { baseUrl: target.url, environmentToken: target.token } };
		const workflow = createWorkflow(
			{ ...withSource(sender as Exclude<Sender, { bare: number }>, items, first), credentials: data },
			nodeTypes,
		);
		const helper = new StoredCredentials(own.credentialTypes, data);
		const { result } = execute(workflow, nodeTypes, additionalData(helper), 'trigger');
		return (await result).stored;
	};
}

async function load(folder: string): Promise<LoadedPackage> {
	const loader = new core.PackageDirectoryLoader(folder);
	await loader.loadAll();
	const types = <T,>(map: Record<string, { type: unknown }>) =>
		Object.fromEntries(Object.entries(map).map(([name, { type }]) => [name, type as T]));
	return {
		name: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name,
		nodeTypes: types(loader.nodeTypes),
		credentialTypes: types(loader.credentialTypes),
	};
}

function withSource({ steps }: Exclude<Sender, { bare: number }>, items: number, contacts: number) {
	const nodes = [source(items, contacts), ...steps].map((step) => ({
		...step,
		credentials: { [credential]: { id: credential, name: credential } },
	})) as unknown as NodeSpec[];
	return { nodes };
}
