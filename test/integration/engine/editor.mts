import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { additionalData, type CredentialData, StoredCredentials } from './credentials.mts';
import { core } from './n8n.mts';
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

/** Runs the test of a credential: the function of a node that tests it, as n8n runs it. */
export async function testCredential(
	typeName: string,
	credential: ICredentialDataDecryptedObject,
	loaded?: LoadedPackage,
): Promise<CredentialTestResult> {
	const { credentialTypes, nodeTypes } = loaded ?? (await loadPackage());
	const helper = new StoredCredentials(credentialTypes, { [typeName]: credential });
	const data = additionalData(helper);
	for (const { description, methods } of Object.values(nodeTypes)) {
		const testedBy = description.credentials?.find(({ name }) => name === typeName)?.testedBy;
		if (testedBy !== undefined) {
			const test = methods?.credentialTest?.[String(testedBy)];
			const decrypted = await helper.getDecrypted(data, undefined, typeName);
			const stored = { id: typeName, name: typeName, type: typeName, data: decrypted };
			return (await test?.call(new core.CredentialTestContext(data), stored)) as CredentialTestResult;
		}
	}
	return { status: 'Error', message: 'No testing function found for this credential.' };
}
