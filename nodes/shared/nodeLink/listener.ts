import type { IDataObject } from 'n8n-workflow';

import type { ErrorCode } from '../errors/errorCodes';
import { type Result, unwrap } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import type { Reply } from './messages';
import { REACH_N8N } from './noReply';
import { isSameOwner, namedInUrl, type Owner, type Source, type VerifyBy } from './owner';
import { isTestUrl, isTriggerUrl } from './triggerUrl';
import { whyNotN8n } from './whyNotN8n';

/** Why no trigger answers at the URL of a webhook. */
export type NoTriggerReason =
	| 'elsewhere'
	| 'testUrl'
	| 'notATrigger'
	| 'noAnswer'
	| 'notPublished'
	| 'refused'
	| 'unproven'
	| 'moved'
	| 'otherOwner'
	| 'madeByHand'
	| 'lacksHeader';

/** What is wrong with a webhook, and what to do about it; shown to the user. */
export interface Problem {
	code: string;
	message: string;
	whatToDo: string;
}

/** What the user is told, by reason. */
export const problemByReason: Record<NoTriggerReason, Problem & { code: ErrorCode }> = {
	elsewhere: {
		code: 'NOT_ON_THIS_N8N',
		message: 'The webhook delivers to an address outside this n8n, and this n8n has no trigger with its path',
		whatToDo: 'Use the n8n that has the trigger.',
	},
	moved: {
		code: 'OTHER_ADDRESS',
		message: 'The webhook delivers to another address than that of the trigger on this n8n',
		whatToDo: 'If this n8n has moved, give the webhook the new URL. If it is that of another n8n, leave it alone.',
	},
	testUrl: {
		code: 'TEST_URL',
		message: 'The webhook delivers to a test URL, which works only while the editor listens',
		whatToDo:
			'It remains from a test in the editor, or has the wrong URL. Delete it and publish the workflow: the trigger registers its production URL itself.',
	},
	notATrigger: {
		code: 'NOT_A_TRIGGER',
		message: 'The webhook does not deliver to a Voice Agent Calling Trigger',
		whatToDo: 'Choose the webhook of a trigger. Get Many lists the URLs.',
	},
	noAnswer: {
		code: 'NO_ANSWER',
		message: 'n8n does not answer at the address of the webhook',
		whatToDo: REACH_N8N,
	},
	notPublished: {
		code: 'NOT_PUBLISHED',
		message: 'No published workflow listens at the address of the webhook',
		whatToDo: "Publish the trigger's workflow. If it no longer exists, delete the webhook.",
	},
	refused: {
		code: 'N8N_REFUSED',
		message: 'No trigger answers at the address of the webhook',
		whatToDo:
			"Install this package, in the same version, in every n8n process that receives webhooks. n8n's log may say more.",
	},
	unproven: {
		code: 'TRIGGER_NOT_PROVEN',
		message: 'No Voice Agent Calling Trigger with the same credential answers at the address of the webhook',
		whatToDo: "Choose the trigger's credential in this node, and use the same package version for both nodes.",
	},
	otherOwner: {
		code: 'TRIGGER_OF_ANOTHER',
		message: 'The webhook delivers to a trigger for another agent or campaign, which rejects its deliveries',
		whatToDo:
			"Delete this webhook. Then add this agent or campaign to the trigger, or use 'Connect to Trigger': both register a webhook with the right URL.",
	},
	lacksHeader: {
		code: 'SECRET_HEADER_MISSING',
		message: 'The trigger verifies by a secret header that the webhook does not have, so it rejects its deliveries',
		whatToDo: "Use 'Rotate Secret' for this webhook. Then use 'Catch Up' to redeliver what was rejected.",
	},
	madeByHand: {
		code: 'NOT_REGISTERED_BY_TRIGGER',
		message: 'The webhook delivers to a trigger, but was made by hand: the trigger rejects its deliveries',
		whatToDo:
			"Use 'Rotate Secret' for this webhook: it gets the secret that the trigger accepts. Then use 'Catch Up' to redeliver what was rejected.",
	},
};

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
	source: Source;
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
	not: Reason;
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
	| { not?: undefined; trigger: TriggerInfo };

/** What the user is told about a trigger that does not answer. */
export function problemOf({ not, detail, advice }: NoTrigger): Problem & { code: ErrorCode } {
	const { code, message, whatToDo } = problemByReason[not];
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
		return { not: 'elsewhere' };
	}
	if (isTestUrl(url)) {
		return { not: 'testUrl' };
	}
	// A workflow that starts with another trigger would treat the message as an event.
	if (!isTriggerUrl(url)) {
		return { not: 'notATrigger' };
	}
	const result = await client.message(url, { command: 'check' });
	const why = whyNotN8n(result);
	if (why !== undefined) {
		return { not: 'noAnswer', ...why };
	}
	const { status, body, proven } = unwrap(result);
	const data = isRecord(body) ? body : {};
	if (!proven) {
		return whyUnproven(status, String(data.message ?? ''));
	}
	const isWhole = [data.chosen, data.registered, data.events].every(Array.isArray);
	return status < 300 && isWhole
		? { trigger: data as unknown as TriggerInfo }
		: { not: 'refused', detail: 'the trigger does not answer as one of this version' };
}

/** What a response of n8n itself, or of a trigger with another credential, says. */
function whyUnproven(status: number, message: string): NoTrigger<NoAnswerReason> {
	if (status === 404 && NOT_REGISTERED.test(message)) {
		return { not: 'notPublished' };
	}
	if (status < 300 || status === 401) {
		return { not: 'unproven' };
	}
	const detail = `HTTP status ${status}, ${message.replace(/\.$/, '')}`;
	return { not: 'refused', detail, ...(status >= 500 && { accepted: 'unknown' }) };
}

/**
 * Asks the trigger that a webhook delivers to. Sends nothing to a URL that cannot be a trigger of this n8n.
 *
 * @returns what the trigger says, or `not`: why no trigger accepts the deliveries of the webhook
 */
export async function askListener(client: TriggerClient, webhook: RemoteWebhook): Promise<Answer> {
	const { url } = webhook;
	const answer = await askTriggerAt(client, url);
	if (answer.not === 'elsewhere' && isTriggerUrl(url)) {
		return await askHere(client, url);
	}
	if (answer.not !== undefined) {
		return answer;
	}
	const { owner, generations, verifyBy } = namedInUrl(url);
	const { trigger } = answer;
	if (owner !== undefined && !isSameOwner(owner, webhook)) {
		return { not: 'otherOwner' };
	}
	// The service may have dropped the query of the URL.
	const isNamed = owner !== undefined && generations !== undefined;
	if (isNamed && trigger.verifyBy === 'header' && verifyBy !== 'header') {
		return { not: 'lacksHeader', trigger };
	}
	return isNamed || trigger.registered.includes(webhook.id) ? answer : { not: 'madeByHand', trigger };
}

/** Asks the trigger that has the path of a webhook on another n8n, or on this one before it moved. */
async function askHere(client: TriggerClient, url: string): Promise<NoTrigger> {
	const here = await client.addressHere(url);
	const { not } = await askTriggerAt(client, here);
	if (not !== undefined) {
		return { not: 'elsewhere' };
	}
	return {
		not: 'moved',
		detail: `it delivers to ${new URL(url).origin}`,
		advice: `If this n8n has moved, use Webhook → 'Update' for this webhook, with the Webhook URL ${here}: it keeps its deliveries, and its secret stays right. If another n8n, such as a copy of this one, is there, leave the webhook alone: publishing a workflow here registers another one.`,
	};
}
