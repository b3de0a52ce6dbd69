import type { World } from './world.mts';

/** The events that continue an execution that waits for its call: they need not start the workflow. */
const ENDS = ['campaign_call.completed', 'campaign_call.failed'];

/**
 * Checks the events of the own trigger.
 *
 * @param awaited the IDs of calls for which an execution waits
 * @returns what is wrong, in sentences
 */
export async function auditEvents(world: World, awaited: ReadonlySet<string>): Promise<string[]> {
	const problems: string[] = [];
	const isPublished = world.urlOf(world.own) !== undefined;
	const webhooks = await world.webhooksOfOwn();
	if (isPublished) {
		if (webhooks.length !== 1) {
			problems.push(`A published trigger has ${webhooks.length} webhooks`);
		}
		for (const { id } of webhooks) {
			const report = await world.catchUp(id);
			if (Number(report.left) > 0 || Number(report.notRetriable) > 0) {
				problems.push(`Catch Up leaves events: ${JSON.stringify(report)}`);
			}
		}
	}
	if (!isPublished && webhooks.length > 0) {
		problems.push('A webhook stays without its trigger');
	}
	const attempts = await world.attempts();
	const started = world.started();
	const sent = new Set(attempts.map(({ delivery_id }) => delivery_id));
	for (const [event, count] of started) {
		if (!sent.has(event)) {
			problems.push(`The service did not send ${event}, which started the workflow`);
		}
		// After a crash, a repeated delivery may start it again.
		if (count > 1 + world.restarts) {
			problems.push(`${event} started the workflow ${count} times`);
		}
	}
	for (const { http_status } of attempts) {
		world.seen.add(`delivered: ${http_status}`);
	}
	for (const event of sent) {
		const own = attempts.filter(({ delivery_id }) => delivery_id === event);
		const isTaken = own.some(({ http_status }) => http_status === 200);
		const isKept = own.some(({ webhook_id }) => webhooks.some(({ id }) => id === webhook_id));
		const [{ event: kind, call_id } = { event: '', call_id: null }] = own;
		if (ENDS.includes(kind) && awaited.has(String(call_id))) {
			continue;
		}
		if (!started.has(event) && (isTaken || (isPublished && isKept))) {
			problems.push(`${event} started nothing: ${own.map(({ http_status }) => http_status).join()}`);
		}
	}
	return problems;
}
