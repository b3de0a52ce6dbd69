import type { IDataObject } from 'n8n-workflow';

import { textsOf } from '../errors/catalog';
import { type Result, unwrap } from '../errors/serviceError';
import type { Keys } from '../keys';
import { isRecord } from '../lib/json';
import { isSameOwner, namedInUrl, type Owner, type OwnerType, type VerifyBy } from '../owner';
import { isTestUrl, isTriggerUrl } from '../triggerSecrets/triggerUrl';
import type { Reply } from './messages';
import { explainMissingReply } from './n8nResponses';

/** Why no trigger responds at a URL. The texts of all codes are in `errors/catalog.ts`. */
export type NoReplyCode =
	| 'N8N_REFUSED'
	| 'NOT_A_TRIGGER'
	| 'NOT_ON_THIS_N8N'
	| 'NOT_PUBLISHED'
	| 'NO_ANSWER'
	| 'TEST_URL'
	| 'TRIGGER_NOT_PROVEN';

/** Why no trigger accepts the deliveries of a webhook. */
export type NoTriggerCode =
	| NoReplyCode
	| 'NOT_REGISTERED_BY_TRIGGER'
	| 'OTHER_ADDRESS'
	| 'SECRET_HEADER_MISSING'
	| 'SECRET_OF_OTHER_TOKEN'
	| 'TRIGGER_OF_ANOTHER';

/** What is wrong with a webhook, and what to do about it; shown to the user. */
export interface Problem {
	code: string;
	message: string;
	whatToDo: string;
}

/** n8n's message for a URL without a published workflow. */
const NOT_REGISTERED = /not registered/;

/** The part of an n8n that exchanges messages with its triggers. */
interface TriggerClient {
	/** Whether a URL is on this n8n. */
	isOwnAddress(url: string): Promise<boolean>;

	/** Returns the URL that the trigger of another URL would have on this n8n. */
	addressHere(url: string): Promise<string>;

	/** The keys of all nodes with the same credential. */
	keys(): Promise<Pick<Keys, 'fingerprint'>>;

	/** Sends a message and returns the reply, or an error if there was no HTTP response. */
	message(url: string, message: IDataObject): Promise<Result<Reply>>;
}

/** A webhook of the service. */
export interface RemoteWebhook extends Owner {
	id: string;
	url: string;
}

/** What a trigger reports about itself. */
export interface TriggerInfo {
	/** Its production URL. */
	url: string;
	ownerType: OwnerType;
	/** The campaigns or agents that are chosen in it. */
	chosen: Owner[];
	/** How the deliveries of its webhooks are verified. */
	verifyBy: VerifyBy;
	/** The events that it needs. */
	events: string[];
	includeCallEvents: boolean;
	/** All settings of its webhooks, encrypted: extra headers can be secret. */
	settings: string;
	/** IDs of the webhooks that it has registered, as far as n8n has stored them. */
	registered: string[];
}

/** Why no trigger accepts the deliveries of a webhook. */
export interface NoTrigger<Code extends NoTriggerCode = NoTriggerCode> {
	code: Code;
	/** A detail, such as an HTTP status. */
	detail?: string;
	/** What to do, if {@link detail} is more specific than the code. */
	advice?: string;
	/** Set if a trigger may have acted on the message. */
	accepted?: 'unknown';
	/** The trigger that has responded, but refuses the deliveries of this webhook. */
	trigger?: TriggerInfo;
}

/** What a trigger reports about itself, or why no trigger accepts the deliveries. */
export type TriggerCheck<Code extends NoTriggerCode = NoTriggerCode> =
	| NoTrigger<Code>
	| { code?: undefined; trigger: TriggerInfo };

/** Returns the texts of a code from the catalog, with the detail. */
export function problemOf<Code extends NoTriggerCode>({ code, detail, advice }: NoTrigger<Code>) {
	const [message, whatToDo] = textsOf(code);
	return { code, message: withDetail(message, detail), whatToDo: advice ?? whatToDo };
}

/** Appends a detail to a sentence without a full stop. */
export function withDetail(sentence: string, detail: string | undefined): string {
	return detail === undefined ? sentence : `${sentence}: ${detail}`;
}

/** Reads the settings of the trigger at a URL. Sends nothing to a URL that cannot be a trigger of this n8n. */
export async function checkTriggerAt(client: TriggerClient, url: string): Promise<TriggerCheck<NoReplyCode>> {
	if (!(await client.isOwnAddress(url))) {
		return { code: 'NOT_ON_THIS_N8N' };
	}
	if (isTestUrl(url)) {
		return { code: 'TEST_URL' };
	}
	// A workflow that starts with another trigger would treat the message as an event.
	if (!isTriggerUrl(url)) {
		return { code: 'NOT_A_TRIGGER' };
	}
	const result = await client.message(url, { command: 'check' });
	const why = explainMissingReply(result);
	if (why !== undefined) {
		return { code: 'NO_ANSWER', ...why };
	}
	const { status, body, proven } = unwrap(result);
	const data = isRecord(body) ? body : {};
	if (!proven) {
		return whyUnproven(status, String(data.message ?? ''));
	}
	const isWhole = [data.chosen, data.registered, data.events].every(Array.isArray);
	return status < 300 && isWhole
		? { trigger: data as unknown as TriggerInfo }
		: { code: 'N8N_REFUSED', detail: 'its response does not match this version of the package' };
}

/** Explains a response of n8n itself, or of a trigger with another credential. */
function whyUnproven(status: number, message: string): NoTrigger<NoReplyCode> {
	if (status === 404 && NOT_REGISTERED.test(message)) {
		return { code: 'NOT_PUBLISHED' };
	}
	if (status < 300 || status === 401) {
		return { code: 'TRIGGER_NOT_PROVEN' };
	}
	const detail = `HTTP status ${status}, ${message.replace(/\.$/, '')}`;
	return { code: 'N8N_REFUSED', detail, ...(status >= 500 && { accepted: 'unknown' }) };
}

/**
 * Checks whether the trigger that a webhook delivers to accepts its deliveries, and reads the settings of the trigger.
 */
export async function checkTriggerOf(client: TriggerClient, webhook: RemoteWebhook): Promise<TriggerCheck> {
	const { url } = webhook;
	const check = await checkTriggerAt(client, url);
	if (check.code === 'NOT_ON_THIS_N8N' && isTriggerUrl(url)) {
		return await checkMoved(client, url);
	}
	if (check.code !== undefined) {
		return check;
	}
	const { owner, versions, verifyBy, fingerprint } = namedInUrl(url);
	const { trigger } = check;
	if (owner !== undefined && !isSameOwner(owner, webhook)) {
		return { code: 'TRIGGER_OF_ANOTHER' };
	}
	// The service may have dropped the query of the URL.
	const isNamed = owner !== undefined && versions !== undefined;
	if (isNamed && trigger.verifyBy === 'header' && verifyBy !== 'header') {
		return { code: 'SECRET_HEADER_MISSING', trigger };
	}
	// The trigger has the token of the credential, but the service still has the secret from an earlier token.
	if (isNamed && fingerprint !== (await client.keys()).fingerprint) {
		return { code: 'SECRET_OF_OTHER_TOKEN', trigger };
	}
	return isNamed || trigger.registered.includes(webhook.id) ? check : { code: 'NOT_REGISTERED_BY_TRIGGER', trigger };
}

/** Checks whether this n8n has the trigger of a URL on another n8n: this n8n may have moved. */
async function checkMoved(client: TriggerClient, url: string): Promise<NoTrigger> {
	const here = await client.addressHere(url);
	const { code } = await checkTriggerAt(client, here);
	if (code !== undefined) {
		return { code: 'NOT_ON_THIS_N8N' };
	}
	return {
		code: 'OTHER_ADDRESS',
		detail: `it delivers to ${new URL(url).origin}`,
		advice: `If this n8n has moved, use Webhook → 'Update' for this webhook, with the Webhook URL ${here}: it keeps its deliveries, and its secret stays right. If another n8n, such as a copy of this one, is there, leave the webhook alone: publishing a workflow here registers another one.`,
	};
}
