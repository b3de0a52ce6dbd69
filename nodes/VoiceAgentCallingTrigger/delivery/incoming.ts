import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { Headers } from '../../shared/events/signature';
import { type Owner, ownerIn, type SecretVersions, versionsIn } from '../../shared/owner';
import { readRawBody } from '../../shared/webhookResponse';

/** A request to the webhook of a trigger, read once from n8n's context. */
export interface Incoming {
	caller: IWebhookFunctions;
	/** A key for the node in the memory of this process. A test run has another one than production. */
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
	/** Whose event it is, by the URL. */
	owner: Owner | undefined;
	/** With which secret it is signed, by the URL. */
	versions: SecretVersions | undefined;
	/** When the service may stop waiting for the response, by the clock of `performance.now()`. */
	answerUntil: number;
}

/** Less than the service's shortest time-out, in milliseconds. */
const ANSWER_WITHIN_MS = 4500;

/** Reads a request from n8n's context. */
export async function readIncoming(caller: IWebhookFunctions): Promise<Incoming> {
	const answerUntil = performance.now() + ANSWER_WITHIN_MS;
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
		answerUntil,
	};
}
