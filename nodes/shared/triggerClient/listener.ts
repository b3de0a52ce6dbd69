import type { IDataObject } from 'n8n-workflow';

import { type CodeWithTexts, type ErrorCode, textsOf } from '../errors/catalog';
import { type Result, unwrap } from '../errors/serviceError';
import { isRecord } from '../lib/json';
import { isSameOwner, namedInUrl, type Owner, type OwnerType, type VerifyBy } from '../owner';
import { isTestUrl, isTriggerUrl } from '../triggerSecrets/triggerUrl';
import type { Reply } from './messages';
import { explainMissingReply } from './whyNotN8n';

/** Why no trigger accepts the deliveries of a webhook, with the code of what the user is told. */
export const codeByReason = {
	elsewhere: 'NOT_ON_THIS_N8N',
	moved: 'OTHER_ADDRESS',
	testUrl: 'TEST_URL',
	notATrigger: 'NOT_A_TRIGGER',
	noAnswer: 'NO_ANSWER',
	notPublished: 'NOT_PUBLISHED',
	refused: 'N8N_REFUSED',
	unproven: 'TRIGGER_NOT_PROVEN',
	otherOwner: 'TRIGGER_OF_ANOTHER',
	lacksHeader: 'SECRET_HEADER_MISSING',
	madeByHand: 'NOT_REGISTERED_BY_TRIGGER',
} as const satisfies Record<string, CodeWithTexts>;

export type NoTriggerReason = keyof typeof codeByReason;

/** What is wrong with a webhook, and what to do about it; shown to the user. */
export interface Problem {
	code: string;
	message: string;
	whatToDo: string;
}

/** n8n's message for a URL that no published workflow has. */
const NOT_REGISTERED = /not registered/;

/** The part of an n8n that exchanges messages with its triggers. */
export interface TriggerClient {
	/** Whether a URL is on this n8n. */
	isOwnAddress(url: string): Promise<boolean>;

	/** The URL that the trigger of another URL has on this n8n, if this n8n has it. */
	addressHere(url: string): Promise<string>;

	/** Sends a message and returns the reply; an error if there was no HTTP response. */
	message(url: string, message: IDataObject): Promise<Result<Reply>>;
}

/** A webhook of the service. */
export interface RemoteWebhook extends Owner {
	id: string;
	url: string;
}

/** What a trigger says of itself. */
export interface TriggerInfo {
	/** Its production URL. */
	url: string;
	ownerType: OwnerType;
	/** The campaigns or agents that are chosen in it. */
	chosen: Owner[];
	/** What its webhooks have to prove deliveries with. */
	verifyBy: VerifyBy;
	/** The events that it needs. */
	events: string[];
	includeCallEvents: boolean;
	/** All settings of its webhooks, encrypted: extra headers can be secret. */
	settings: string;
	/** IDs of the webhooks that it has registered, as far as n8n has stored them. */
	registered: string[];
}

/** Why there is no answer of a trigger. */
export interface NoTrigger<Reason extends NoTriggerReason = NoTriggerReason> {
	reason: Reason;
	/** What was seen, such as an HTTP status. */
	detail?: string;
	/** What to do, where {@link detail} says more than the reason. */
	advice?: string;
	/** Set if a trigger may have acted on the message. */
	accepted?: 'unknown';
	/** The trigger that answers, but not for this webhook. */
	trigger?: TriggerInfo;
}

/** The answer of a trigger, or why there is none. */
export type Answer<Reason extends NoTriggerReason = NoTriggerReason> =
	| NoTrigger<Reason>
	| { reason?: undefined; trigger: TriggerInfo };

/** What the user is told about a trigger that does not answer. */
export function problemOf({ reason, detail, advice }: NoTrigger): Problem & { code: ErrorCode } {
	const code = codeByReason[reason];
	const [message, whatToDo] = textsOf(code);
	return { code, message: withDetail(message, detail), whatToDo: advice ?? whatToDo };
}

/** A sentence without its end, with what was seen. */
export function withDetail(what: string, detail: string | undefined): string {
	return detail === undefined ? what : `${what}: ${detail}`;
}

/** Why there is no answer from a trigger at a URL. */
export type NoAnswerReason = Exclude<NoTriggerReason, 'moved' | 'otherOwner' | 'madeByHand' | 'lacksHeader'>;

/** Asks the trigger at a URL for its settings. Sends nothing to a URL that cannot be a trigger of this n8n. */
export async function askTriggerAt(client: TriggerClient, url: string): Promise<Answer<NoAnswerReason>> {
	if (!(await client.isOwnAddress(url))) {
		return { reason: 'elsewhere' };
	}
	if (isTestUrl(url)) {
		return { reason: 'testUrl' };
	}
	// A workflow that starts with another trigger would treat the message as an event.
	if (!isTriggerUrl(url)) {
		return { reason: 'notATrigger' };
	}
	const result = await client.message(url, { command: 'check' });
	const why = explainMissingReply(result);
	if (why !== undefined) {
		return { reason: 'noAnswer', ...why };
	}
	const { status, body, proven } = unwrap(result);
	const data = isRecord(body) ? body : {};
	if (!proven) {
		return whyUnproven(status, String(data.message ?? ''));
	}
	const isWhole = [data.chosen, data.registered, data.events].every(Array.isArray);
	return status < 300 && isWhole
		? { trigger: data as unknown as TriggerInfo }
		: { reason: 'refused', detail: 'the trigger does not answer as one of this version' };
}

/** What a response of n8n itself, or of a trigger with another credential, says. */
function whyUnproven(status: number, message: string): NoTrigger<NoAnswerReason> {
	if (status === 404 && NOT_REGISTERED.test(message)) {
		return { reason: 'notPublished' };
	}
	if (status < 300 || status === 401) {
		return { reason: 'unproven' };
	}
	const detail = `HTTP status ${status}, ${message.replace(/\.$/, '')}`;
	return { reason: 'refused', detail, ...(status >= 500 && { accepted: 'unknown' }) };
}

/**
 * Asks the trigger that a webhook delivers to. Sends nothing to a URL that cannot be a trigger of this n8n.
 *
 * @returns what the trigger says, or `reason`: why no trigger accepts the deliveries of the webhook
 */
export async function askListener(client: TriggerClient, webhook: RemoteWebhook): Promise<Answer> {
	const { url } = webhook;
	const answer = await askTriggerAt(client, url);
	if (answer.reason === 'elsewhere' && isTriggerUrl(url)) {
		return await askHere(client, url);
	}
	if (answer.reason !== undefined) {
		return answer;
	}
	const { owner, versions, verifyBy } = namedInUrl(url);
	const { trigger } = answer;
	if (owner !== undefined && !isSameOwner(owner, webhook)) {
		return { reason: 'otherOwner' };
	}
	// The service may have dropped the query of the URL.
	const isNamed = owner !== undefined && versions !== undefined;
	if (isNamed && trigger.verifyBy === 'header' && verifyBy !== 'header') {
		return { reason: 'lacksHeader', trigger };
	}
	return isNamed || trigger.registered.includes(webhook.id) ? answer : { reason: 'madeByHand', trigger };
}

/** Asks the trigger that has the path of a webhook on another n8n, or on this one before it moved. */
async function askHere(client: TriggerClient, url: string): Promise<NoTrigger> {
	const here = await client.addressHere(url);
	const { reason } = await askTriggerAt(client, here);
	if (reason !== undefined) {
		return { reason: 'elsewhere' };
	}
	return {
		reason: 'moved',
		detail: `it delivers to ${new URL(url).origin}`,
		advice: `If this n8n has moved, use Webhook → 'Update' for this webhook, with the Webhook URL ${here}: it keeps its deliveries, and its secret stays right. If another n8n, such as a copy of this one, is there, leave the webhook alone: publishing a workflow here registers another one.`,
	};
}
