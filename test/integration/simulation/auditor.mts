import { reportedResults } from '../VoiceAgentCalling/sending/reportedResults.mts';
import { placesTestCalls } from './steps.mts';
import { OUTCOMES, type Run, type World } from './world.mts';

/** A call of an agent or of a campaign, as the service has it. */
export interface ServiceCall {
	id: string;
	to: string;
	is_testing: boolean;
	context: { run?: string };
}

/** The results of items that have a call of their own, or may have one. */
const CALLED = ['placed', 'queued', 'alreadyQueued', 'sameNumber'];

/** Checks runs against what the service has. @returns what is wrong, in sentences */
export function auditCalls(runs: Run[], calls: ServiceCall[]): string[] {
	return runs.flatMap((run) => {
		const own = calls.filter(({ context }) => context?.run === run.id);
		return [
			...own.flatMap((call) =>
				call.is_testing === placesTestCalls(run.step) ? [] : [`${run.id}: test and real call mixed up`],
			),
			...[...new Set(run.numbers)].flatMap((number) => auditNumber(run, number, own)),
			...auditItems(run),
			...auditTests(run),
			...auditOutcomes(run),
		];
	});
}

function auditTests({ id, step, items }: Run): string[] {
	const wrong = items.filter(({ json }) => typeof json.isTest === 'boolean' && json.isTest !== placesTestCalls(step));
	return wrong.map(({ item, json }) => `${id}: item ${item} says isTest: ${String(json.isTest)}`);
}

function auditItems({ id, numbers, items, error }: Run): string[] {
	if (error) {
		return [];
	}
	const reported = items.map(({ item }) => item).sort();
	const isComplete = JSON.stringify(reported) === JSON.stringify(numbers.map((_number, item) => item));
	return [
		...(isComplete ? [] : [`${id}: the items ${reported.join()} are reported, of ${numbers.length}`]),
		...(items.every(({ json }) => json.result !== undefined) ? [] : [`${id}: an item has no result`]),
	];
}

function auditOutcomes({ id, step, items }: Run): string[] {
	const placed = items.filter(({ json }) => step.operation === 'placeAndWait' && json.result === 'placed');
	return placed
		.filter(({ json }) => json.outcome !== OUTCOMES[String(json.to)])
		.map(({ json }) => `${id}: the call to ${json.to} has the outcome ${json.outcome}`);
}

/** A number is called once at most, and each of its calls is reported. */
function auditNumber({ id, numbers, items, error }: Run, number: string, calls: ServiceCall[]): string[] {
	const own = calls.filter(({ to }) => to === number);
	if (own.length > 1) {
		return [`${id}: ${number} was called ${own.length} times`];
	}
	if (error) {
		const list =
			numbers.length === 1
				? `${error.message.includes('Outcome unknown') ? 'Outcome unknown' : 'Errors'}: item 0.`
				: String(error.description);
		const results = reportedResults(list, numbers.length)
			.filter((_results, item) => numbers[item] === number)
			.flat();
		const mayBeCalled = results.includes('done') || results.includes('unknown');
		const isCalled = results.includes('done');
		return [
			...(own.length > 0 && !mayBeCalled ? [`${id}: a call to ${number} is not reported: ${list}`] : []),
			...(own.length === 0 && isCalled && !list.includes('queued')
				? [`${id}: a call to ${number} is reported and was not placed: ${list}`]
				: []),
		];
	}
	const results = items.filter(({ item }) => numbers[item] === number).map(({ json }) => String(json.result));
	const mayBeCalled = results.some((result) => CALLED.includes(result) || result === 'unknown');
	return [
		...(own.length > 0 && !mayBeCalled ? [`${id}: a call to ${number} is not reported: ${results.join()}`] : []),
		...(own.length === 0 && results.includes('placed') ? [`${id}: ${number} is reported as called and was not`] : []),
	];
}

/** Checks the events of the own trigger. @returns what is wrong, in sentences */
export async function auditEvents(world: World): Promise<string[]> {
	const problems: string[] = [];
	const isPublished = world.urlOf(world.own) !== undefined;
	const webhooks = await world.webhooksOfOwn();
	if (isPublished) {
		if (webhooks.length !== 1) {
			problems.push(`A published trigger has ${webhooks.length} webhooks`);
		}
		for (const { id } of webhooks) {
			const report = await world.catchUp(id);
			world.seen.add(`catch up: ${Number(report.redelivered) > 0 ? 'redelivered' : 'nothing'}`);
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
		if (!started.has(event) && (isTaken || (isPublished && isKept))) {
			problems.push(`${event} started nothing: ${own.map(({ http_status }) => http_status).join()}`);
		}
	}
	return problems;
}
