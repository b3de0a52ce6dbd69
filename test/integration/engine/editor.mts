import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';

import { additionalData, type CredentialData, StoredCredentials } from './credentials.mts';
import { core, n8n } from './n8n.mts';
import { KnownNodeTypes } from './nodeTypes.mts';
import { type LoadedPackage, loadPackage } from './package.mts';
import { createWorkflow } from './workflow.mts';

/** The input of the editor for a menu or a locator's list. */
export interface OptionsRequest {
	type: string;
	method: string;
	credentials: CredentialData;
	parameters?: INodeParameters;
	package?: LoadedPackage;
}

/** The position in a locator's list, and the search text. */
export interface ListSearch extends OptionsRequest {
	filter?: string;
	paginationToken?: string;
}

/** One page of a locator's list, as the editor gets it. */
export async function listSearch(search: ListSearch): Promise<INodeListSearchResult> {
	const { methods, context } = await options(search);
	const method = methods?.listSearch?.[search.method];
	if (!method) {
		throw new Error(`"${search.type}" has no list search "${search.method}"`);
	}
	const result = await method.call(context, search.filter, search.paginationToken);
	// n8n sends the token through a URL: the method gets it back as text.
	const token: unknown = result.paginationToken;
	return typeof token === 'number' ? { ...result, paginationToken: String(token) } : result;
}

/** The entries of a menu, as the editor gets them. */
export async function loadOptions(request: OptionsRequest): Promise<INodePropertyOptions[]> {
	const { methods, context } = await options(request);
	const method = methods?.loadOptions?.[request.method];
	if (!method) {
		throw new Error(`"${request.type}" has no menu "${request.method}"`);
	}
	return await method.call(context);
}

/** The columns of a resource mapper, as the editor gets them. */
export async function resourceMapperFields(request: OptionsRequest): Promise<ResourceMapperFields> {
	const { methods, context } = await options(request);
	const method = methods?.resourceMapping?.[request.method];
	if (!method) {
		throw new Error(`"${request.type}" has no columns "${request.method}"`);
	}
	return await method.call(context);
}

/** The methods of a node, and the context to call them in. */
async function options(request: OptionsRequest) {
	const loaded = request.package ?? (await loadPackage());
	const nodeTypes = new KnownNodeTypes(loaded);
	const spec = {
		nodes: [{ name: 'Temp-Node', type: request.type, parameters: request.parameters }],
		credentials: request.credentials,
	};
	const workflow = createWorkflow(spec, nodeTypes);
	const node = workflow.getNode('Temp-Node') as INode;
	const data = additionalData(new StoredCredentials(loaded.credentialTypes, request.credentials));
	data.currentNodeParameters = node.parameters;
	const { methods } = nodeTypes.getByNameAndVersion(request.type);
	return { methods, context: new core.LoadOptionsContext(workflow, node, data, '') };
}

/** The result in the credential's window after "Save" or "Retry". */
export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/** Runs a credential type's test request and words the result like n8n. */
export async function testCredential(
	typeName: string,
	credential: ICredentialDataDecryptedObject,
	loaded?: LoadedPackage,
): Promise<CredentialTestResult> {
	const { credentialTypes, ...rest } = loaded ?? (await loadPackage());
	const test = credentialTypes[typeName]?.test;
	if (!test) {
		return { status: 'Error', message: 'No testing function found for this credential.' };
	}
	const probe: INodeType = {
		description: {
			displayName: 'No Operation',
			name: 'probe',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'probe' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: typeName, required: true }],
			properties: [
				{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request: test.request }, default: '' },
			],
		},
	};
	const nodeTypes = new KnownNodeTypes({ ...rest, credentialTypes, nodeTypes: { probe } });
	const credentials = { [typeName]: credential };
	const spec = { nodes: [{ name: 'Temp-Node', type: `${rest.name}.probe` }], credentials };
	const workflow = createWorkflow(spec, nodeTypes);
	const node = workflow.getNode('Temp-Node') as INode;
	const helper = new StoredCredentials(credentialTypes, credentials);
	const data = { ...additionalData(helper), currentNodeParameters: node.parameters };
	const run = n8n.createEmptyRunExecutionData();
	const input = { main: [[{ json: {} }]] };
	const context = new core.ExecuteContext(
		workflow,
		node,
		data,
		'internal',
		run,
		0,
		[],
		input,
		{ node, data: {}, source: null },
		[],
	);
	const decrypted = await helper.getDecrypted(data, undefined, typeName);
	const rules = test.rules ?? [];
	try {
		const stored = { id: typeName, name: typeName, type: typeName, data: decrypted };
		const response = await new core.RoutingNode(context, probe, stored).runNode();
		const body: IDataObject = response?.[0]?.[0]?.json ?? {};
		for (const { type, properties } of rules) {
			if (type === 'responseSuccessBody' && body[properties.key] === properties.value) {
				return { status: 'Error', message: properties.message };
			}
		}
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return { status: 'Error', message: messageOf(error as FailedProbe, rules) };
	}
}

type FailedProbe = Error & { cause?: { code?: string; response?: { status: number; statusText: string } } };
type Rules = Array<{ type: string; properties: { value?: unknown; message: string } }>;

function messageOf({ message, cause }: FailedProbe, rules: Rules): string {
	const { code, response } = cause ?? {};
	if (!response) {
		return code ?? message;
	}
	const rule = rules.find(({ type, properties }) => type === 'responseCode' && properties.value === response.status);
	return rule?.properties.message ?? (response.statusText || `Received HTTP status code: ${response.status}`);
}
