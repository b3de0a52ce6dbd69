import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { core, n8n } from './n8n.mts';

/** Credential data by credential type: at most one credential of each. */
export type CredentialData = Record<string, ICredentialDataDecryptedObject>;

const notHere = async (): Promise<never> => {
	throw new Error('Not part of this harness');
};

/**
 * The part of n8n's CredentialsHelper that a node can see: stored data with the defaults of the type, and
 * `authenticate` as a function.
 */
export class StoredCredentials implements ICredentialsHelper {
	private readonly types: Record<string, ICredentialType>;
	private readonly data: CredentialData;

	constructor(types: Record<string, ICredentialType>, data: CredentialData) {
		this.types = types;
		this.data = data;
	}

	private type(name: string): ICredentialType {
		const type = this.types[name];
		if (!type) {
			throw new Error(`Unknown credential type "${name}"`);
		}
		return type;
	}

	getParentTypes(name: string): string[] {
		return this.type(name).extends ?? [];
	}

	isCredentialUsableByNode(credentialType: string, nodeType: string): boolean {
		const type = this.types[credentialType];
		return !type?.restrictToSupportedNodes || (type.supportedNodes ?? []).includes(nodeType);
	}

	async authenticate(credentials: ICredentialDataDecryptedObject, name: string, options: IHttpRequestOptions) {
		const { authenticate } = this.type(name);
		return await (authenticate as (...args: unknown[]) => Promise<IHttpRequestOptions>)(credentials, options);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: unknown,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.data[type];
		if (!data) {
			throw new Error(`Credential with type "${type}" does not exist`);
		}
		const properties = this.getCredentialsProperties(type);
		return { ...n8n.NodeHelpers.getNodeParameters(properties, data as never, true, false, null, null) } as typeof data;
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.type(type).properties;
	}

	readonly getCredentials = notHere;
	readonly updateCredentials = notHere;
	readonly updateCredentialsOauthTokenData = notHere;
}

/**
 * The additional data that n8n passes to every execution, webhook and editor call.
 * @param webhookOrigin the base URL of n8n's webhooks; n8n-core refuses an empty one
 * @param waitingPath where n8n resumes executions that wait
 */
export function additionalData(
	credentials: ICredentialsHelper,
	webhookOrigin: string = 'http://127.0.0.1:9',
	waitingPath = 'webhook-waiting',
): IWorkflowExecuteAdditionalData {
	const at = (path: string) => `${webhookOrigin}/${path}`;
	return {
		credentialsHelper: credentials,
		externalSecretsProxy: new core.ExternalSecretsProxy(),
		executeWorkflow: notHere,
		getRunExecutionData: notHere,
		getRuntimeCredential: async () => undefined,
		currentNodeExecutionIndex: 0,
		restApiUrl: at('rest'),
		instanceBaseUrl: `${webhookOrigin}/`,
		formBaseUrl: at('form'),
		formWaitingBaseUrl: at('form-waiting'),
		formTestBaseUrl: at('form-test'),
		webhookBaseUrl: at('webhook'),
		webhookWaitingBaseUrl: at(waitingPath),
		webhookTestBaseUrl: at('webhook-test'),
		mcpBaseUrl: at('mcp'),
		mcpTestBaseUrl: at('mcp-test'),
		variables: {},
		logAiEvent: () => undefined,
		startRunnerTask: notHere,
	};
}
