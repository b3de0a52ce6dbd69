import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { OUTCOME_UNKNOWN } from '../../../shared/client/itemErrors';
import { incompleteList, readListing } from '../../../shared/client/pagination';
import { objectIn } from '../../../shared/client/refusals';
import { hasServiceStatus, toResult } from '../../../shared/errors/serviceError';
import { integer, toggle } from '../../../shared/fields/kinds';
import { moment } from '../../../shared/fields/timeKinds';
import { asHtml, quoted } from '../../../shared/lib/text';
import { DAY_MS, isoOf, timeIn } from '../../../shared/lib/time';
import { webhooksPath } from '../../../shared/owner';
import { defineOperation } from '../../operation/defineOperation';
import { webhook } from './fields';
import { loggedEvents } from './getDeliveries';
import { redelivery } from './redeliver';
import { type Attempt, failedForGood, Redeliveries, readAttempt } from './redeliveries';

const since = moment('since', {
	displayName: 'Since',
	name: 'since',
	description: 'Redeliver only what failed after this time. If empty: in the last 24 hours.',
});

const maxRedeliveries = integer(
	'maxRedeliveries',
	{
		displayName: 'Max Redeliveries',
		name: 'maxRedeliveries',
		default: 100,
		description: 'Maximum number of events to redeliver, the oldest first. The next run redelivers the rest.',
	},
	{ min: 1 },
);

const dryRun = toggle('dryRun', {
	displayName: 'Dry Run',
	name: 'dryRun',
	description: 'Whether to only list what would be redelivered',
});

/** The result for one failed delivery. */
type Result = 'alreadyRedelivered' | 'left' | 'notRetriable' | 'outcomeUnknown' | 'redelivered' | 'wouldBeRedelivered';

export const catchUp = defineOperation({
	name: 'Catch Up',
	value: 'catchUp',
	action: 'Catch up on webhook events',
	description: 'Redeliver the events that a webhook missed. Use it in a published workflow without the trigger.',
	fields: webhook,
	filters: [loggedEvents, since],
	options: [maxRedeliveries, dryRun],
	// A redelivery is a POST, so it is not retried after an unclear outcome: receivers that do not check IDs would
	// process the event twice. It is not needed either: the log shows the next run whether the event was delivered.
	async run(api, input) {
		const { ownerType, ownerId, webhookId, events: types } = input;
		const from = timeIn(input.since) ?? Date.now() - DAY_MS;
		const path = webhooksPath({ ownerType, ownerId }, webhookId);
		const current = objectIn(await api.request({ method: 'GET', path }), 'the webhook');
		const to = isoOf(Date.now());
		const all = Number.POSITIVE_INFINITY;
		const log = { method: 'GET', path: [...path, 'logs'] } as const;
		// The service does not document the order of the log, so all of it is read. Older attempts count as well: an
		// attempt since then may follow an older one.
		const { items: entries, cutOff } = await readListing(api.request, log, { items: ({ data }) => data, limit: all });
		const attempts = entries.map(readAttempt);
		const isWanted = ({ event }: Attempt) => !types || types.includes(event);
		const checked = attempts.filter((attempt) => isWanted(attempt) && attempt.at >= from);

		const redeliveries = new Redeliveries(api.staticData);
		const alreadyRedelivered = checked.filter(
			({ id, status }) => status === 'failed' && redeliveries.isRedelivered(id),
		).length;
		const deliveries: Array<IDataObject & { result: Result }> = [];
		const count = (result: Result) => deliveries.filter((delivery) => delivery.result === result).length;
		for (const failed of failedForGood(attempts, redeliveries)) {
			if (!isWanted(failed) || redeliveries.since(failed) < from) {
				continue;
			}
			const sent = count('redelivered') + count('outcomeUnknown') + count('wouldBeRedelivered');
			const isLeft = sent >= (input.maxRedeliveries ?? all);
			const outcome =
				current.enabled === false
					? {
							result: 'notRetriable' as const,
							message: "The webhook is disabled. Turn on 'Enabled' with 'Update'.",
						}
					: isLeft
						? { result: 'left' as const }
						: input.dryRun
							? { result: 'wouldBeRedelivered' as const }
							: await redeliverOnce(
									api,
									{ ownerType, ownerId, webhookId, deliveryId: failed.id },
									failed,
									redeliveries,
								);
			const { id: logId, event, number, at } = failed;
			deliveries.push({ logId, event, attempt: number, failedAt: isoOf(at), ...outcome });
		}
		const report = {
			webhookId,
			checked: checked.length,
			failed: deliveries.length + alreadyRedelivered,
			redelivered: count('redelivered'),
			notRetriable: count('notRetriable'),
			alreadyRedelivered: alreadyRedelivered + count('alreadyRedelivered'),
			outcomeUnknown: count('outcomeUnknown'),
			left: count('left'),
			from: isoOf(from),
			to,
			deliveries,
		};
		// A duplicate event does no harm, but a missing event is lost: so this fails only after redelivering what it can.
		if (cutOff) {
			throw incompleteList('The service shows only a part of the log, so other events may be lost').with({ report });
		}
		const searched = `since ${isoOf(from)}${types ? ` of the chosen types` : ''}`;
		const name = quoted(String(current.name ?? webhookId));
		const isDisabled = current.enabled === false ? ' It is disabled: turn on Enabled with Update.' : '';
		api.note(asHtml(`${summaryOf(name, deliveries, searched, input.dryRun)}${isDisabled}`));
		return report;
	},
});

/** How the hint says how many events have a result. */
const WORDS: ReadonlyArray<[result: Result, words: string]> = [
	['redelivered', 'sent again (Get Deliveries shows whether they arrived)'],
	['wouldBeRedelivered', 'would be sent again'],
	['outcomeUnknown', 'may have been sent again'],
	['notRetriable', 'cannot be sent again now'],
	['left', 'left for the next run'],
];

/** Returns the hint about a webhook above the output. @param searched the time, and whether only some types */
function summaryOf(
	name: string,
	deliveries: ReadonlyArray<{ result: Result }>,
	searched: string,
	isDryRun = false,
): string {
	const counted = WORDS.flatMap(([wanted, words]) => {
		const { length } = deliveries.filter(({ result }) => result === wanted);
		return length > 0 ? [`${length} ${words}`] : [];
	});
	const events = counted.length > 0 ? `failed events: ${counted.join(', ')}` : `no failed event ${searched} is left`;
	return `${isDryRun ? 'Dry run, nothing was sent. ' : ''}Webhook ${name}: ${events}.`;
}

/**
 * Redelivers one event. If the service rejects it or the outcome is unknown, that is a result.
 *
 * @throws ServiceError for errors that would affect the other events, too
 */
async function redeliverOnce(
	api: Api,
	entry: Parameters<typeof redelivery>[0],
	failed: Attempt,
	redeliveries: Redeliveries,
): Promise<{ result: Result; newLogId?: string; message?: string }> {
	// Another item of this run can be for the same webhook.
	if (redeliveries.isRedelivered(failed.id)) {
		return { result: 'alreadyRedelivered' };
	}
	redeliveries.begin(failed);
	const { value, error } = await toResult(api.request(redelivery(entry)));
	if (error === undefined) {
		const { log_id: newLogId } = Object(value.data) as { log_id?: string };
		if (newLogId === undefined) {
			// The new attempt is not known, so it counts as the follower of this one only if this one counts as well.
			redeliveries.undo(failed);
		} else {
			redeliveries.done(failed, String(newLogId));
		}
		return { result: 'redelivered', newLogId };
	}
	redeliveries.undo(failed);
	const { message } = error;
	if (hasServiceStatus(error, 404, 422)) {
		return { result: 'notRetriable', message };
	}
	if (error.code === OUTCOME_UNKNOWN) {
		return { result: 'outcomeUnknown', message };
	}
	throw error;
}
