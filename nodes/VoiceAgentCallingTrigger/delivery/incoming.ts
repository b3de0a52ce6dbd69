import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Headers } from '../../shared/events/signature';
import { type Owner, ownerIn, type SecretVersions, versionsIn } from '../../shared/owner';
import { readRawBody, respond } from '../../shared/webhookResponse';

/** A request to the webhook of a trigger, read once from n8n's context. */
export interface Incoming {
	caller: IWebhookFunctions;
	/** A key for the node in the memory of this process. It differs between a test run and production. */
	node: string;
	/** Name of the node. */
	name: string;
	/** The production URL of the trigger. */
	url: string;
	/** Whether it is for a test run in the editor. */
	isTest: boolean;
	/** The body, byte for byte. */
	rawBody: Buffer;
	headers: Headers;
	/** The owner that the URL names. */
	owner: Owner | undefined;
	/** The versions of the secret that the URL names. */
	versions: SecretVersions | undefined;
	/** When the service may stop waiting for the response, by the clock of `performance.now()`. */
	respondUntil: number;
}

/** Less than the service's shortest time-out, in milliseconds. */
const RESPOND_WITHIN_MS = 4500;

/** Reads a request from n8n's context. */
export async function readIncoming(caller: IWebhookFunctions): Promise<Incoming> {
	const respondUntil = performance.now() + RESPOND_WITHIN_MS;
	const { id, name } = caller.getNode();
	const isTest = caller.getMode() === 'manual';
	const query = caller.getQueryData() as IDataObject;
	return {
		caller,
		name,
		isTest,
		node: JSON.stringify([caller.getWorkflow().id, id, isTest ? 'test' : 'production']),
		url: caller.getNodeWebhookUrl('default') ?? '',
		rawBody: await readRawBody(caller),
		headers: caller.getHeaderData() as Headers,
		owner: ownerIn(query),
		versions: versionsIn(query),
		respondUntil,
	};
}

/** Responds with 401, and logs the reason, which contains nothing from the request. */
export function refuse(caller: IWebhookFunctions, reason: string): IWebhookResponseData {
	caller.logger.warn(`A delivery to "${caller.getNode().name}" was refused: ${reason}`, {
		workflowId: caller.getWorkflow().id,
	});
	return respond(caller, 401, 'Unauthorized');
}
