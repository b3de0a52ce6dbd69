import type { IDataObject } from 'n8n-workflow';

import { attempt as attempted, unreadable } from '../../../shared/errors/serviceError';
import { integer, toggle } from '../../../shared/fields/kinds';
import { moment } from '../../../shared/fields/timeKinds';
import { isRecord } from '../../../shared/lib/isRecord';
import { defineOperation } from '../../operation/defineOperation';
import type { Api } from '../../sending/api';
import { OUTCOME_UNKNOWN } from '../../sending/itemErrors';
import { type Attempt, failedForGood, readAttempt } from './deliveryLog';
import { events } from './getDeliveries';
import { type WebhookKind, webhookPath } from './kind';
import { redelivery } from './redeliver';
import { Redeliveries } from './redeliveries';

const DAY_MS = 86_400_000;

const time = moment('since', {
	displayName: 'Since',
	name: 'since',
	description: 'Only what failed after this time. Left empty: in the last 24 hours.',
});

/** A default that is an expression would be worked out for each item; what is empty is read once. */
const since: typeof time = {
	...time,
	read: (source) => (source.get('since') ? time.read?.(source) : new Date(Date.now() - DAY_MS).toISOString()),
};

const maxRedeliveries = integer(
	'maxRedeliveries',
	{
		displayName: 'Max Redeliveries',
		name: 'maxRedeliveries',
		default: 100,
		description: 'How many events to redeliver at most, the oldest first. The rest is left to the next run.',
	},
	{ min: 1 },
);

const dryRun = toggle('dryRun', {
	displayName: 'Dry Run',
	name: 'dryRun',
	description: 'Whether to say what would be redelivered, and to redeliver nothing',
});

const newestFirst = toggle('newestFirst', {
	displayName: 'Log Is Newest First',
	name: 'newestFirst',
	description:
		"Whether the service lists the newest attempts first, as you have seen it do: reading then ends at the first page that is older than 'Since'. The service promises no order; without this the whole log is read, with a request for each 100 attempts.",
});

/** What became of one failed delivery. */
type Result = 'alreadyRedelivered' | 'left' | 'notRetriable' | 'outcomeUnknown' | 'redelivered' | 'wouldBeRedelivered';

export function catchUp(kind: WebhookKind) {
	return defineOperation({
		name: 'Catch Up',
		value: 'catchUp',
		action: `Catch up on what ${kind.one} missed`,
		description: `Redeliver the events that ${kind.one} did not get, for example while n8n was down: those with no further try to come. The node reads the whole log, in which the service lists them in no promised order. What it has redelivered it remembers for 30 days, but only in executions of a published workflow: n8n keeps nothing of a run by hand. Use it in a workflow without the trigger.`,
		fields: [kind.owner, kind.webhook, since],
		filters: [events],
		options: [maxRedeliveries, dryRun, newestFirst],
		// By its method a redelivery is not sent again after an unclear answer: the event would come twice, also to
		// receivers that do not look at its ID. It need not be, either: the next run sees in the log what became of it.
		async run(api, input) {
			const { since: from, events: kinds } = input;
			const path = webhookPath(kind, input);
			const { data: webhook } = await api.request({ method: 'GET', path });
			if (!isRecord(webhook)) {
				throw unreadable('without the webhook');
			}
			const to = new Date().toISOString();
			const isOld = ({ created_at: at }: IDataObject) => Date.parse(String(at)) < Date.parse(from);
			const wanted = (entry: IDataObject) => !isOld(entry) && (!kinds || kinds.includes(String(entry.event)));
			const log = { method: 'GET', path: [...path, 'logs'] } as const;
			const all = Number.POSITIVE_INFINITY;
			const isLast = (page: readonly IDataObject[]) => input.newestFirst === true && page.every(isOld);
			const entries = await api.pages(log, ({ data }) => data, all, wanted, isLast);
			// What is new while the log is read moves the rest to later pages, so that an entry can come twice.
			const attempts = [...new Map(entries.map((entry) => [entry.id, readAttempt(entry)])).values()];

			const known = new Redeliveries(api.kept);
			const already = attempts.filter(({ id, status }) => status === 'failed' && known.hasOne(id)).length;
			const deliveries: Array<IDataObject & { result: Result }> = [];
			const count = (result: Result) => deliveries.filter((delivery) => delivery.result === result).length;
			for (const failed of failedForGood(attempts, known)) {
				if (known.since(failed) < Date.parse(from)) {
					continue;
				}
				const isLeft = count('redelivered') + count('outcomeUnknown') >= (input.maxRedeliveries ?? all);
				const outcome = input.dryRun
					? { result: 'wouldBeRedelivered' as const }
					: webhook.enabled === false
						? { result: 'notRetriable' as const, message: "The webhook is disabled: 'Enable or Disable' changes that." }
						: isLeft
							? { result: 'left' as const }
							: await redeliverOnce(api, kind, input, failed, known);
				const { id: logId, event, number, at } = failed;
				deliveries.push({ logId, event, attempt: number, failedAt: new Date(at).toISOString(), ...outcome });
			}
			return {
				webhookId: input.webhookId,
				checked: attempts.length,
				failed: deliveries.length + already,
				redelivered: count('redelivered'),
				notRetriable: count('notRetriable'),
				alreadyRedelivered: already + count('alreadyRedelivered'),
				outcomeUnknown: count('outcomeUnknown'),
				left: count('left'),
				from: new Date(from).toISOString(),
				to,
				deliveries,
			};
		},
	});
}

/** Redelivers one; that the service does not do so is a result. @throws ServiceError for what would meet the others, too */
async function redeliverOnce(
	api: Api,
	kind: WebhookKind,
	{ ownerId, webhookId }: { ownerId: string; webhookId: string },
	failed: Attempt,
	known: Redeliveries,
): Promise<{ result: Result; newLogId?: string; message?: string }> {
	// Another item of this run may be about the same webhook.
	if (known.hasOne(failed.id)) {
		return { result: 'alreadyRedelivered' };
	}
	known.begin(failed);
	const { value, error } = await attempted(
		api.request(redelivery(kind, { ownerId, webhookId, deliveryId: failed.id })),
	);
	if (error === undefined) {
		const { log_id: newLogId } = Object(value.data) as { log_id?: string };
		known.done(failed, String(newLogId));
		return { result: 'redelivered', newLogId };
	}
	known.undo(failed);
	const { message, httpStatus } = error;
	if (httpStatus === 422 || httpStatus === 404) {
		return { result: 'notRetriable', message };
	}
	if (error.code === OUTCOME_UNKNOWN) {
		return { result: 'outcomeUnknown', message };
	}
	throw error;
}
