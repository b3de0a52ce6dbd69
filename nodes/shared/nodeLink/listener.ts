import type { IDataObject } from 'n8n-workflow';

import type { ErrorCode } from '../errors/errorCodes';
import { isRecord } from '../lib/isRecord';
import type { Reply } from './messages';
import { isSameOwner, type Owner, ownerOfUrl } from './owner';

/** Why no trigger answers at the URL of a webhook. */
export type NoTriggerReason =
	| 'elsewhere'
	| 'testUrl'
	| 'notATrigger'
	| 'noAnswer'
	| 'notPublished'
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
		message: 'Nothing answers at the address of the webhook',
		whatToDo: 'Check that n8n can reach its own public address, and any proxy on the way.',
	},
	notPublished: {
		code: 'NOT_PUBLISHED',
		message: 'No published workflow listens at the address of the webhook',
		whatToDo: "Publish the trigger's workflow. If it no longer exists, delete the webhook.",
	},
	unproven: {
		code: 'TRIGGER_NOT_PROVEN',
		message: 'No Voice Agent Calling Trigger with the same credential answers at the address of the webhook',
		whatToDo: "Choose the trigger's credential in this node, and use the same package version for both nodes.",
	},
	otherOwner: {
		code: 'TRIGGER_OF_ANOTHER',
		message: 'The webhook delivers to a trigger for another agent or campaign, which rejects its deliveries',
		whatToDo: 'Delete this webhook. Then publish a trigger for this agent or campaign: it registers its own webhook.',
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

const TEST_PATH = /\/webhook-test\//;

/** Whether a URL is one of n8n's test URLs. */
export function isTestUrl(url: string): boolean {
	return TEST_PATH.test(url);
}

/** The part of an n8n that exchanges messages with its triggers. */
export interface TriggerClient {
	/** Whether a URL is on this n8n. */
	isOwnAddress(url: string): Promise<boolean>;

	/** Sends a message and returns the reply; undefined if there was no HTTP response. */
	message(url: string, message: IDataObject): Promise<Reply | undefined>;
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

/**
 * Asks the trigger that has registered a webhook. Sends nothing to a URL that cannot be a trigger of this n8n.
 *
 * @returns status and body of the trigger's reply, or `not`: why no trigger accepts the deliveries of the webhook
 */
export async function askListener(
	client: TriggerClient,
	webhook: RemoteWebhook,
	command: 'check' | 'rotateSecret',
): Promise<{ not: NoTriggerReason } | { not?: undefined; status: number; body: IDataObject }> {
	const { url } = webhook;
	if (!(await client.isOwnAddress(url))) {
		return { not: 'elsewhere' };
	}
	if (isTestUrl(url)) {
		return { not: 'testUrl' };
	}
	// A workflow that starts with another trigger would treat the message as an event.
	if (!TRIGGER_PATH.test(new URL(url).pathname)) {
		return { not: 'notATrigger' };
	}
	const { id: webhookId, source, ownerId } = webhook;
	const reply = await client.message(url, { command, webhookId, source, ownerId });
	if (reply === undefined) {
		return { not: 'noAnswer' };
	}
	if (!reply.proven) {
		return { not: reply.status === 404 ? 'notPublished' : 'unproven' };
	}
	const body = isRecord(reply.body) ? (reply.body as IDataObject) : {};
	// The trigger takes the deliveries of this webhook for those of the owner in its URL.
	const named = ownerOfUrl(url);
	if (named === undefined || !isSameOwner(named, webhook)) {
		return { not: 'otherOwner' };
	}
	// A trigger that has rotated the secret of the webhook leaves its registration out.
	const not = isRecord(body.registered) ? mismatch(webhook, body.registered) : undefined;
	return not === undefined ? { status: reply.status, body } : { not };
}
