import type { IHookFunctions } from 'n8n-workflow';

import { isGone, type Result, type ServiceError, sentences, toResult } from '../../shared/errors/serviceError';
import { inBatches } from '../../shared/lib/inBatches';
import { loadKeys } from '../../shared/nodeLink/keys';
import type { Owner } from '../../shared/nodeLink/owner';
import type { TriggerSettings } from '../parameters/settings';
import { type Found, noteRestored } from './connected';
import {
	changeKey,
	type DeliveryKey,
	type OwnWebhook,
	ownRegistration,
	storedWebhooks,
	successors,
} from './deliveryKeys';
import { adoptKeyInUse, noteInUse } from './newerKey';
import { nodeKey } from './nodeKey';
import { AT_ONCE, type Reach, removeWebhook, webhooksOf } from './reach';
import { digestOf, webhookOf, writeWebhook } from './webhookRequest';

/** The webhooks that the service should have, and how to reach the service. */
export interface Wanted extends Reach, TriggerSettings {
	caller: IHookFunctions;
}

/** The error of one campaign or agent, with its ID if several are chosen. */
export function about({ chosen }: TriggerSettings, { source, ownerId }: Owner, error: ServiceError): ServiceError {
	return chosen.length === 1 ? error : error.with({ message: `${error.message} (${source} ${ownerId})` });
}

/**
 * Sends the settings with a new key, and stores the registration in the static data. If one webhook fails, those that
 * this call has registered are deleted. A connected webhook that fails is no reason for that.
 *
 * @param found the chosen owners
 * @param connected the others
 */
export async function writeAll(wanted: Wanted, found: readonly Found[], connected: readonly Found[]): Promise<void> {
	const { caller } = wanted;
	const registration = ownRegistration(caller);
	registration.instanceId = caller.getInstanceId();
	registration.workflowId = caller.getWorkflow().id ?? '';
	const { secrets: chain } = await loadKeys(caller);
	const node = nodeKey(caller);
	adoptKeyInUse(node, registration, successors(registration, chain));
	const { result } = await changeKey(registration, chain, async (key, taken) => {
		const onTaken = () => {
			taken();
			noteInUse(node, key);
		};
		const written = await writeEach(wanted, found, key, onTaken);
		const failed = written.find(({ error }) => error !== undefined);
		if (failed?.error !== undefined) {
			registration.webhooks = [...storedWebhooks(registration), ...(await rollBack(wanted, written))];
			throw about(wanted, failed.owner, failed.error);
		}
		const lost = await connectAgain(wanted, connected, key, onTaken);
		return { webhooks: written.map(({ owner, value = '' }) => ownWebhook(wanted, owner, value)), lost };
	});
	registration.webhooks = result.webhooks;
	noteRestored(caller, registration, result.lost);
}

function ownWebhook(wanted: TriggerSettings, owner: Owner, webhookId: string): OwnWebhook {
	return { ...owner, webhookId, digest: digestOf(wanted, owner) };
}

/**
 * Registers or updates the webhooks of connected owners. One that fails is tried twice, then named in n8n's log.
 *
 * @returns the owners whose webhook has failed
 */
async function connectAgain(
	wanted: Wanted,
	connected: readonly Found[],
	key: DeliveryKey,
	onTaken: () => void,
): Promise<Owner[]> {
	const lost = await inBatches(connected, AT_ONCE, async ({ owner, webhooks: [webhook] }) => {
		const id = webhook && String(webhook.id);
		const connect = async () => await toResult(writeWebhook(wanted, wanted, owner, key, id));
		let { error } = await connect();
		if (error?.accepted === 'no' && !isGone(error)) {
			({ error } = await connect());
		}
		if (error === undefined) {
			onTaken();
			return [];
		}
		if (isGone(error)) {
			return [];
		}
		const { name } = wanted.caller.getNode();
		wanted.caller.logger.warn(
			sentences(
				`"${name}" could not connect the ${owner.source} ${owner.ownerId} again: ${error.message}`,
				"Use 'Connect to Trigger', or publish the workflow again.",
			),
			{ workflowId: wanted.caller.getWorkflow().id },
		);
		return [owner];
	});
	return lost.flat();
}

/** A webhook that was sent to the service: its ID, or the error. */
type Written = Result<string> & { owner: Owner; isNew: boolean };

/** Registers or updates the webhook of each owner. After an error, no others are sent. */
async function writeEach(
	wanted: Wanted,
	found: readonly Found[],
	key: DeliveryKey,
	onTaken: () => void,
): Promise<Written[]> {
	let hasFailed = false;
	const written = await inBatches(found, AT_ONCE, async ({ owner, webhooks: [webhook] }) => {
		if (hasFailed) {
			return [];
		}
		const id = webhook && String(webhook.id);
		const result = await toResult(writeWebhook(wanted, wanted, owner, key, id));
		if (result.error === undefined) {
			onTaken();
		} else {
			hasFailed = true;
		}
		return [{ ...result, owner, isNew: id === undefined }];
	});
	return written.flat();
}

/**
 * Deletes the webhooks that were registered just now, also those of which no response tells.
 *
 * @returns those that could not be deleted: `delete` has to
 */
async function rollBack(wanted: Wanted, written: readonly Written[]): Promise<OwnWebhook[]> {
	const left: OwnWebhook[] = [];
	for (const { owner, isNew, value, error } of written) {
		if (!isNew || error?.accepted === 'no') {
			continue;
		}
		const url = webhookOf(wanted, owner).webhook_url;
		const { value: listed = [] } = value === undefined ? await toResult(webhooksOf(wanted, owner)) : {};
		const ids =
			value === undefined ? listed.filter(({ webhook_url }) => webhook_url === url).map(({ id }) => id) : [value];
		for (const id of ids.map(String)) {
			const removed = await toResult(removeWebhook(wanted, owner, id));
			if (removed.error !== undefined) {
				left.push(ownWebhook(wanted, owner, id));
			}
		}
	}
	return left;
}
