import type { IDataObject } from 'n8n-workflow';

import type { ErrorCode } from '../errors/errorCodes';
import { type Result, unwrap } from '../errors/serviceError';
import { isRecord } from '../lib/isRecord';
import type { Reply } from './messages';
import { REACH_N8N } from './noReply';
import { isSameOwner, type Owner, ownerOfUrl } from './owner';
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
	| 'otherOwner'
	| 'otherWebhook';

/** What is wrong with a webhook, and what to do about it; shown to the user. */
export interface Problem {
	code: string;
	message: string;
	whatToDo: string;
}

/** What the user is told, by reason. */
export const noTrigger: Record<NoTriggerReason, Problem & { code: ErrorCode }> = {
	elsewhere: {
		code: 'NOT_ON_THIS_N8N',
		message: 'The webhook delivers to an address outside this n8n',
		whatToDo:
			"Use the n8n that has the trigger. If it is this one, its address has changed: publish the trigger's workflow again.",
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
			"Delete this webhook. Then add this agent or campaign to the trigger, or use 'Connect to Trigger': the trigger registers its own webhook.",
	},
	otherWebhook: {
		code: 'NOT_REGISTERED_BY_TRIGGER',
		message:
			'The webhook delivers to a trigger that has registered another webhook. It rejects the deliveries of this one, because it does not have its secret',
		whatToDo:
			"Unpublish and publish the trigger's workflow: the trigger then takes over this webhook or deletes it. Then use Catch Up to redeliver what was rejected.",
	},
};

/** The end of a trigger's URL: the ID of the node's webhook, then the path that all of these triggers have. */
const TRIGGER_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/webhook$/i;

/** n8n's message for a URL that no published workflow has. */
const NOT_REGISTERED = /not registered/;

const TEST_PATH = /\/webhook-test\//;

/** Whether a URL is one of n8n's test URLs. */
export function isTestUrl(url: string): boolean {
	return TEST_PATH.test(url);
}

/** The part of an n8n that exchanges messages with its triggers. */
export interface TriggerClient {
	/** Whether a URL is on this n8n. */
	isOwnAddress(url: string): Promise<boolean>;

	/** Sends a message and returns the reply; an error if there was no HTTP response. */
	message(url: string, message: IDataObject): Promise<Result<Reply>>;
}

/** A webhook of the service. */
export interface RemoteWebhook extends Owner {
	id: string;
	url: string;
}

/** Why a trigger refuses the deliveries of a webhook. @param registered the webhook that the trigger has registered */
function mismatch(
	{ id, source, ownerId }: RemoteWebhook,
	registered: Record<string, unknown>,
): NoTriggerReason | undefined {
	const { webhookId } = registered;
	const isOwners = registered.source === source && registered.ownerId === ownerId;
	if (webhookId === id && isOwners) {
		return undefined;
	}
	return webhookId === undefined || isOwners ? 'otherWebhook' : 'otherOwner';
}

/** Whether a URL has the form of the production URL of a trigger. */
export function isTriggerUrl(url: string): boolean {
	return URL.canParse(url) && !isTestUrl(url) && TRIGGER_PATH.test(new URL(url).pathname);
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
}

/** The answer of a trigger, or why there is none. */
export type Answer<Reason extends NoTriggerReason = NoTriggerReason> =
	| NoTrigger<Reason>
	| { not?: undefined; status: number; body: IDataObject };

/** What the user is told about a trigger that does not answer. */
export function problemOf({ not, detail, advice }: NoTrigger): Problem & { code: ErrorCode } {
	const { code, message, whatToDo } = noTrigger[not];
	return { code, message: withDetail(message, detail), whatToDo: advice ?? whatToDo };
}

/** A sentence without its end, with what was seen. */
export function withDetail(what: string, detail: string | undefined): string {
	return detail === undefined ? what : `${what}: ${detail}`;
}

/** Why there is no answer from a trigger at a URL. */
export type NoAnswerReason = Exclude<NoTriggerReason, 'otherOwner' | 'otherWebhook'>;

/** Sends a message to the trigger at a URL. Sends nothing to a URL that cannot be a trigger of this n8n. */
export async function messageTrigger(
	client: TriggerClient,
	url: string,
	message: IDataObject,
): Promise<Answer<NoAnswerReason>> {
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
	const result = await client.message(url, message);
	const why = whyNotN8n(result);
	if (why !== undefined) {
		return { not: 'noAnswer', ...why };
	}
	const { status, body, proven } = unwrap(result);
	const data = isRecord(body) ? (body as IDataObject) : {};
	return proven ? { status, body: data } : whyUnproven(status, String(data.message ?? ''));
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
 * Asks the trigger that has registered a webhook. Sends nothing to a URL that cannot be a trigger of this n8n.
 *
 * @returns status and body of the trigger's reply, or `not`: why no trigger accepts the deliveries of the webhook
 */
export async function askListener(
	client: TriggerClient,
	webhook: RemoteWebhook,
	command: 'check' | 'rotateSecret',
): Promise<Answer> {
	const { id: webhookId, url, source, ownerId } = webhook;
	// The trigger takes the deliveries of a webhook for those of the owner in its URL.
	const named = ownerOfUrl(url);
	const isNamed = named !== undefined && isSameOwner(named, webhook);
	const answer = await messageTrigger(client, url, { command, webhookId, ...(isNamed && { source, ownerId }) });
	if (answer.not !== undefined) {
		return answer;
	}
	if (!isNamed) {
		return { not: 'otherOwner' };
	}
	const { body } = answer;
	// A trigger that has rotated the secret of the webhook leaves its registration out.
	const not = isRecord(body.registered) ? mismatch(webhook, body.registered) : undefined;
	return not === undefined ? answer : { not };
}
