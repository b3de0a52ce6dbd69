import type { ICredentialsHelper, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import type { KnownNodeTypes } from './nodeTypes.mts';
import type { WebhookRoutes } from './webhookRoutes.mts';

/** The n8n that a workflow is stored in, as its triggers need it. */
export interface Host {
	/** Where its webhooks are reached, without a slash at the end. */
	readonly url: string;
	readonly nodeTypes: KnownNodeTypes;
	readonly routes: WebhookRoutes;
	/** Real milliseconds per second of n8n's pauses between two attempts. */
	readonly secondInMs: number;
	/** The additional data of every call into a node. @param credentials by default, those of the n8n */
	additionalData(credentials?: ICredentialsHelper): IWorkflowExecuteAdditionalData;
}
