import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isGone, ServiceError, toResult } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { isSameOwner, type Owner, ownerUrl } from '../../shared/nodeLink/owner';
import { connect } from '../../shared/service/transport';
import { readSettings, type TriggerSettings } from '../parameters/settings';
import { countOwners, MOST_OWNERS } from './connected';
import { currentKey, type DeliveryKey, ownRegistration, storedWebhooks } from './deliveryKeys';
import { putBackNewerKey, successorsOf } from './newerKey';
import { nodeKey } from './nodeKey';
import { type Reach, removeWebhook, webhooksOf } from './reach';
import { writeKey, writeWebhook } from './webhookRequest';

/** For each request. The action node that sends the command does not wait forever for all of them: it then reports an unknown outcome. */
const PATIENCE = { timeoutSeconds: 10, patienceSeconds: 5 };

/** What a trigger does for one owner. */
interface Task extends TriggerSettings {
	reach: Reach;
	/** The production URL of the trigger. */
	url: string;
	key: DeliveryKey;
}

function refusal(message: string, advice: string): ServiceError {
	return new ServiceError(message, { code: 'NOT_CONNECTED', advice, accepted: 'no' });
}

/** @throws ServiceError if the trigger cannot have the owner connected */
async function begin(caller: IWebhookFunctions, owner: Owner): Promise<Task> {
	const url = caller.getNodeWebhookUrl('default') ?? '';
	const settings = await readSettings(caller, url);
	const { source, acceptsConnections } = settings;
	if (source !== owner.source) {
		throw refusal(
			`The trigger receives the events of ${source}s, not of ${owner.source}s`,
			`Choose a trigger whose 'Source' is ${owner.source === 'agent' ? 'Agent' : 'Campaign'}.`,
		);
	}
	if (!acceptsConnections) {
		throw refusal(
			'The trigger does not accept connections',
			"Turn on 'Accept Connections' in its options, and publish its workflow.",
		);
	}
	const registration = ownRegistration(caller);
	putBackNewerKey(caller, await successorsOf(caller, nodeKey(caller), registration));
	const key = currentKey(registration);
	if (key === undefined) {
		throw refusal('The trigger has not registered a webhook', 'Unpublish and publish its workflow.');
	}
	return { ...settings, reach: { caller, connection: await connect(caller), ...PATIENCE }, url, key };
}

/** The last task for each owner of each node: tasks for the same owner run one after the other. */
const last = new BoundedMap<Promise<unknown>>();

async function oneAfterTheOther<Result>(
	caller: IWebhookFunctions,
	{ source, ownerId }: Owner,
	run: () => Promise<Result>,
): Promise<Result> {
	const name = JSON.stringify([nodeKey(caller), source, ownerId]);
	const task = (last.get(name) ?? Promise.resolve()).then(run);
	last.set(
		name,
		task.catch(() => undefined),
	);
	return await task;
}

/** How long the number of owners is known: many connections can begin at the same time. */
const COUNTED_MS = 10_000;

const counts = new BoundedMap<{ until: number; count: Promise<number> }>();

/** @throws ServiceError if the trigger might not find the owner again */
async function assertFindable(caller: IWebhookFunctions, { reach, source }: Task): Promise<void> {
	const name = nodeKey(caller);
	let counted = counts.get(name);
	if (counted === undefined || counted.until < Date.now()) {
		counted = { until: Date.now() + COUNTED_MS, count: countOwners(reach, source) };
		counts.set(name, counted);
		counted.count.catch(() => counts.delete(name));
	}
	const count = await counted.count;
	if (count > MOST_OWNERS) {
		throw refusal(
			`The environment has ${count} ${source === 'campaign' ? 'campaigns that are not finished' : 'agents'}. A trigger looks through ${MOST_OWNERS} only, so it might not find this one again`,
			`${source === 'campaign' ? 'Complete, cancel or delete campaigns that are no longer used' : 'Delete agents that are no longer used'}, or choose this one in the trigger itself.`,
		);
	}
}

/**
 * The IDs of the webhooks of an owner that deliver to the trigger: one at most, unless two processes have registered one
 * at the same time. Sorted, so that all processes keep the same one.
 */
async function idsOf({ reach, url }: Task, owner: Owner): Promise<string[]> {
	const listed = await webhooksOf(reach, owner);
	const own = listed.filter(({ webhook_url }) => webhook_url === ownerUrl(url, owner));
	return own.map(({ id }) => String(id)).sort();
}

/** How often the webhook of an owner is looked for: another process can delete it as a duplicate of its own. */
const TRIES = 3;

/** Updates the webhook of an owner, or registers one if there is none. @throws ServiceError */
async function writeOrRegister(
	caller: IWebhookFunctions,
	task: Task,
	owner: Owner,
): Promise<{ webhookId: string; isNew: boolean }> {
	for (let tries = 1; ; tries++) {
		const [existing] = await idsOf(task, owner);
		if (existing === undefined) {
			await assertFindable(caller, task);
		}
		const { value, error } = await toResult(writeWebhook(task.reach, task, owner, task.key, existing));
		if (error === undefined) {
			return { webhookId: value, isNew: existing === undefined };
		}
		if (existing === undefined || !isGone(error) || tries === TRIES) {
			throw error;
		}
	}
}

/**
 * Registers the webhook of an owner that is not chosen in the trigger, with the settings of the others. An owner that is
 * connected already gets these settings again, never a second webhook. Nothing is stored in n8n.
 *
 * @returns the ID of the webhook, and whether it is new
 * @throws ServiceError
 */
export async function connectOwner(caller: IWebhookFunctions, owner: Owner): Promise<IDataObject> {
	return await oneAfterTheOther(caller, owner, async () => {
		const task = await begin(caller, owner);
		const own = storedWebhooks(ownRegistration(caller)).find((webhook) => isSameOwner(webhook, owner));
		if (own !== undefined) {
			return { webhookId: own.webhookId, isNew: false };
		}
		const { reach, url, key } = task;
		const { webhookId, isNew } = await writeOrRegister(caller, task, owner);
		noteGiven(caller, { ...owner, webhookId }, key);
		// The owner is connected now, whatever fails: a webhook that is left has the same key, or goes with the next update.
		const { value: ids = [] } = await toResult(idsOf(task, owner));
		const [kept = webhookId, ...others] = ids;
		for (const id of others) {
			await toResult(removeWebhook(reach, owner, id));
		}
		return { webhookId: kept, webhookUrl: ownerUrl(url, owner), isNew };
	});
}

/**
 * Deletes the webhook that {@link connectOwner} has registered.
 *
 * @returns whether there was one
 * @throws ServiceError
 */
export async function disconnectOwner(caller: IWebhookFunctions, owner: Owner): Promise<IDataObject> {
	return await oneAfterTheOther(caller, owner, async () => {
		const task = await begin(caller, owner);
		if (task.chosen.some((other) => isSameOwner(other, owner))) {
			throw refusal(
				`The ${owner.source} is chosen in the trigger itself`,
				'Take it off the list in the trigger, and publish its workflow.',
			);
		}
		const ids = await idsOf(task, owner);
		for (const id of ids) {
			await removeWebhook(task.reach, owner, id);
		}
		return { wasConnected: ids.length > 0 };
	});
}

/** How long a connected webhook is known to have its key. */
const GIVEN_MS = 10 * 60_000;

/** The secret of the trigger from which the key of each connected webhook was derived, as far as this process knows. */
const given = new BoundedMap<{ secret: string; until: number }>();

/** A webhook of an owner. */
type OwnerWebhook = Owner & { webhookId: string };

function nameOf(caller: IWebhookFunctions, { source, ownerId, webhookId }: OwnerWebhook): string {
	return JSON.stringify([nodeKey(caller), source, ownerId, webhookId]);
}

/** Remembers that a webhook has the key. */
export function noteGiven(caller: IWebhookFunctions, webhook: OwnerWebhook, { secret }: DeliveryKey): void {
	given.set(nameOf(caller, webhook), { secret, until: Date.now() + GIVEN_MS });
}

/**
 * Makes sure that a webhook with the URL for a connected owner has its key: it could have been made by hand, or connected
 * while another process rotated the secret.
 *
 * @returns whether the trigger accepts its deliveries
 */
export async function assureConnected(caller: IWebhookFunctions, owner: Owner, webhookId: string): Promise<boolean> {
	const { value: task } = await toResult(begin(caller, owner));
	if (task === undefined) {
		return false;
	}
	const known = given.get(nameOf(caller, { ...owner, webhookId }));
	if (known !== undefined && known.secret === task.key.secret && known.until > Date.now()) {
		return true;
	}
	const { value: ids = [] } = await toResult(idsOf(task, owner));
	if (!ids.includes(webhookId)) {
		return false;
	}
	const { error } = await toResult(writeKey(task.reach, owner, task.key, webhookId));
	if (error !== undefined) {
		return false;
	}
	noteGiven(caller, { ...owner, webhookId }, task.key);
	return true;
}
