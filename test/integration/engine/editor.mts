import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { additionalData, type CredentialData, StoredCredentials } from './credentials.mts';
import { core } from './n8n.mts';
import { KnownNodeTypes } from './nodeTypes.mts';
import { loadPackage } from './package.mts';
import { createWorkflow } from './workflow.mts';

export interface OptionsRequest {
	type: string;
	method: string;
	credentials: CredentialData;
	parameters?: INodeParameters;
}

/** The position in a locator's list, and the search text. */
export interface ListSearch extends OptionsRequest {
	filter?: string;
	paginationToken?: string;
}

/** One page of a locator's list, as the editor gets it. */
export async function listSearch(search: ListSearch): Promise<INodeListSearchResult> {
	const [method, context] = await methodOf(search, 'listSearch');
	const result = await method.call(context, search.filter, search.paginationToken);
	// n8n sends the token through a URL: the method gets it back as text.
	const token: unknown = result.paginationToken;
	return typeof token === 'number' ? { ...result, paginationToken: String(token) } : result;
}

export async function loadOptions(request: OptionsRequest): Promise<INodePropertyOptions[]> {
	const [method, context] = await methodOf(request, 'loadOptions');
	return await method.call(context);
}

type Methods = Required<NonNullable<INodeType['methods']>>;

async function methodOf<Kind extends 'listSearch' | 'loadOptions'>(request: OptionsRequest, kind: Kind) {
	const loaded = await loadPackage();
	const nodeTypes = new KnownNodeTypes(loaded);
	const spec = {
		nodes: [{ name: 'Temp-Node', type: request.type, parameters: request.parameters }],
		credentials: request.credentials,
	};
	const workflow = createWorkflow(spec, nodeTypes);
	const node = workflow.getNode('Temp-Node') as INode;
	const data = additionalData(new StoredCredentials(loaded.credentialTypes, request.credentials));
	data.currentNodeParameters = node.parameters;
	const method = (nodeTypes.getByNameAndVersion(request.type).methods as Methods)[kind]?.[request.method];
	if (!method) {
		throw new Error(`"${request.type}" has no method "${request.method}"`);
	}
	return [method as Methods[Kind][string], new core.LoadOptionsContext(workflow, node, data, '')] as const;
}

/** Runs the test of a credential after "Save" or "Retry": the function of a node that tests it, as n8n runs it. */
export async function testCredential(
	typeName: string,
	credential: ICredentialDataDecryptedObject,
): Promise<{ status: 'OK' | 'Error'; message: string }> {
	const { credentialTypes, nodeTypes } = await loadPackage();
	const helper = new StoredCredentials(credentialTypes, { [typeName]: credential });
	const data = additionalData(helper);
	for (const { description, methods } of Object.values(nodeTypes)) {
		const testedBy = description.credentials?.find(({ name }) => name === typeName)?.testedBy;
		if (testedBy !== undefined) {
			const test = methods?.credentialTest?.[String(testedBy)];
			const decrypted = await helper.getDecrypted(data, undefined, typeName);
			const stored = { id: typeName, name: typeName, type: typeName, data: decrypted };
			return (await test!.call(new core.CredentialTestContext(data) as never, stored)) as never;
		}
	}
	return { status: 'Error', message: 'No testing function found for this credential.' };
}
