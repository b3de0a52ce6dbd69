import { setTimeout as sleep } from 'node:timers/promises';

import { type Deployment, harness, type Instance, type LoadedPackage } from '../harness.mts';
import { byId, inFastTime, type Service } from '../service.mts';
import { triggerNode } from '../triggers.mts';
import { type CallStep, faultOf, type Step } from './steps.mts';

const EVENTS = [
	'campaign_call.queued',
	'campaign_call.started',
	'campaign_call.completed',
	'campaign_call.failed',
	'campaign_call.retry_scheduled',
];

/** What becomes of the calls to the numbers. */
export const OUTCOMES: Readonly<Record<string, string>> = {
	'+12025550001': 'completed',
	'+12025550002': 'busy',
	'+12025550003': 'noAnswer',
	'+12025550111': 'completed',
};

/** The last item has no number. */
const NUMBERS = [...Object.keys(OUTCOMES), ''];

/** A run of a node that calls, and what it reported. */
export interface Run {
	id: string;
	step: CallStep;
	/** The numbers of the items. */
	numbers: string[];
	items: Array<{ item: number; json: Record<string, unknown> }>;
	/** Why the run ended with an error. */
	error?: Error & { description?: string };
}

/** An attempt to deliver an event, as the service has it. */
export interface Attempt {
	id: string;
	delivery_id: string;
	webhook_id: string;
	http_status: number | null;
}

/** A webhook, as the service has it. */
export type StoredWebhook = { id: string; webhook_url: string } & Record<string, unknown>;

/** The processes: each has a memory of its own. */
export interface Processes {
	/** The n8n that calls and receives. */
	own: Instance;
	/** Executes some of its runs. */
	worker: LoadedPackage;
	/** The n8n of somebody else with the same account. */
	other: Instance;
}

let runs = 0;

/** One campaign at the service, two n8n with a trigger each, and a webhook of somebody else. */
export class World {
	readonly runs: Run[] = [];
	/** IDs of the webhooks that delivered to the own trigger. */
	readonly ownWebhooks = new Set<string>();
	restarts = 0;
	/** What happened, in short: a test sees whether it was worth something. */
	readonly seen = new Set<string>();
	/** What went wrong while a step was done. */
	readonly problems: string[] = [];
	readonly own: Deployment;
	readonly other: Deployment;
	readonly campaign: string;
	/** A webhook that no trigger has made. */
	readonly foreign: string;
	private readonly service: Service;
	private readonly instance: Instance;
	private readonly worker: LoadedPackage;
	private readonly backups: ReturnType<Deployment['storedStaticData']>[] = [];
	private readonly catchUpData = {};
	private outage = 0;

	private constructor(
		service: Service,
		{ own: instance, other, worker }: Processes,
		{ campaign, foreign }: { campaign: string; foreign: string },
	) {
		this.service = service;
		this.instance = instance;
		this.worker = worker;
		this.campaign = campaign;
		this.foreign = foreign;
		const nodes = [
			triggerNode(service, { campaign: byId(campaign), events: EVENTS }),
			{ name: 'Next', type: 'harness.noOp' },
		];
		this.own = instance.deploy({ nodes });
		// A copy of a workflow has its ID, and so the path of its webhook.
		this.other = other.deploy({ nodes, id: this.own.id });
		instance.beforeStoring = async () => {
			if (this.outage > 0) {
				this.outage--;
				throw new Error('n8n cannot store the execution');
			}
		};
	}

	static async make(service: Service, processes: Processes): Promise<World> {
		const { body } = await service.api('POST', 'campaigns', {
			name: 'Simulated',
			campaign_type: 'custom',
			agent_id: service.seed.agents.published,
			start_date: '2020-01-01',
			days_of_week: [1, 2, 3, 4, 5, 6, 7],
			call_time_ranges: [{ start: '00:00', end: '23:59' }],
			timezone: 'UTC',
			max_retries: 2,
			retry_cooldown_hours: 1,
		});
		const campaign = (body.data as { id: string }).id;
		await service.api('PATCH', `campaigns/${campaign}/status`, { status: 'active' });
		const webhook = { name: 'Not ours', webhook_url: `${service.url}/nobody`, events: EVENTS, enabled: false };
		const made = await service.api('POST', `campaigns/${campaign}/webhooks`, webhook);
		const foreign = (made.body.data as { id: string }).id;
		return new World(service, processes, { campaign, foreign });
	}

	/** All webhooks of the campaign. */
	async webhooks(): Promise<StoredWebhook[]> {
		const all = (await this.service.storedWebhooks()) as StoredWebhook[];
		return all.filter(({ campaign_id }) => campaign_id === this.campaign);
	}

	/** The attempts to deliver events to the own trigger, the oldest first. @param webhooks only to these */
	async attempts(webhooks = [...this.ownWebhooks]): Promise<Attempt[]> {
		const all: Attempt[] = [];
		for (const id of webhooks) {
			const { items } = (await this.service.control(`deliveries?webhookId=${id}&limit=500`)) as { items: Attempt[] };
			all.push(...items.reverse());
		}
		return all;
	}

	/** How many executions of the own trigger each event has started, by its ID. */
	started(): Map<string, number> {
		const counts = new Map<string, number>();
		for (const { workflowId, items } of this.instance.executions) {
			if (workflowId === this.own.id) {
				const id = String(items[0]?.id);
				counts.set(id, (counts.get(id) ?? 0) + 1);
			}
		}
		return counts;
	}

	/** Does one step. */
	async do(step: Step): Promise<void> {
		const before = step.do === 'publish' || step.do === 'unpublish' || step.do === 'edit' ? await this.webhooks() : [];
		await this.act(step);
		const url = this.urlOf(this.own);
		for (const { id, webhook_url } of url === undefined ? [] : await this.webhooks()) {
			if (webhook_url.startsWith(String(url))) {
				this.ownWebhooks.add(id);
			}
		}
		const whose = 'whose' in step ? step.whose : 'own';
		await this.expectUntouched(before, whose === 'own' ? this.other : this.own);
	}

	/** Lets all that is due happen, the retries of deliveries included. */
	async settle(): Promise<void> {
		this.outage = 0;
		for (const event of EVENTS) {
			await this.service.control('delays', { event, seconds: 0 });
		}
		await this.service.advance(3 * 86_400);
		await this.instance.settled();
	}

	/** What Catch Up reports for a webhook of the own trigger. */
	async catchUp(webhook: string): Promise<Record<string, unknown>> {
		const { outputs, run } = await inFastTime(
			async () =>
				await this.service.run(
					{
						...{ resource: 'webhook', operation: 'catchUp', source: 'campaign', campaign: byId(this.campaign) },
						webhook: byId(webhook),
					},
					[{}],
					{ staticData: this.catchUpData },
				),
		);
		if (run.error) {
			throw run.error;
		}
		return outputs[0]?.[0]?.json ?? {};
	}

	/** The URL of a trigger; undefined while it is not published. */
	urlOf(deployment: Deployment): string | undefined {
		try {
			return deployment.webhookUrl();
		} catch {
			return undefined;
		}
	}

	private async act(step: Step): Promise<void> {
		switch (step.do) {
			case 'call':
				return await this.call(step);
			case 'advance':
				return await this.service.advance(step.seconds);
			case 'publish':
			case 'unpublish':
			case 'edit':
				return await this.changeTrigger(step);
			case 'outage':
				this.outage = step.deliveries;
				return;
			case 'restart':
				this.restarts++;
				return this.instance.restart(await harness.loadAgain());
			case 'restore': {
				const backup = this.backups.at(-step.ago);
				if (backup) {
					this.own.restoreStaticData(backup);
				}
				return;
			}
			case 'copy':
				return this.other.restoreStaticData(this.own.storedStaticData());
			case 'forge':
				return await this.forge(step.tamper, step.which);
			case 'again': {
				const attempt = await this.attempt(step.which);
				if (attempt) {
					await this.service.control(`deliveries/${attempt.id}/resend`, { times: step.times });
				}
				return;
			}
			case 'late':
				await this.service.control('delays', { event: EVENTS[step.event], seconds: step.seconds });
				return;
			case 'rotate':
				return await this.rotate(step);
			case 'catchUp': {
				const [webhook] = (await this.webhooks()).filter(({ id }) => this.ownWebhooks.has(id));
				if (webhook) {
					await this.catchUp(webhook.id);
				}
			}
		}
	}

	/** Publishes, unpublishes or edits. n8n tries several times, of which one meets a fault. */
	private async changeTrigger(step: Extract<Step, { do: 'publish' | 'unpublish' | 'edit' }>): Promise<void> {
		const deployment = step.do !== 'edit' && step.whose === 'other' ? this.other : this.own;
		if (step.do === 'edit' && this.urlOf(this.own) === undefined) {
			return;
		}
		if (step.do !== 'unpublish') {
			this.backups.push(this.own.storedStaticData());
		}
		if (step.meets) {
			await this.service.fault(
				faultOf(step.meets.name, `/api/v1/campaigns/${this.campaign}/webhooks*`, step.meets.method),
			);
		}
		const events = step.do === 'edit' ? EVENTS.filter((_event, index) => index !== step.without) : [];
		const { error, teardownError } = await inFastTime(async () =>
			step.do === 'edit'
				? await deployment.edit('Trigger', { parameters: { events } })
				: await (step.do === 'publish' ? deployment.publish() : deployment.unpublish()),
		);
		await this.endFaults();
		this.expectNoError(error ?? teardownError);
	}

	/** Rotates the secret of the own trigger, which may fail. */
	private async rotate({ meets }: Extract<Step, { do: 'rotate' }>): Promise<void> {
		const [webhook] = (await this.webhooks()).filter(({ id }) => this.ownWebhooks.has(id));
		if (webhook === undefined || this.urlOf(this.own) === undefined) {
			return;
		}
		if (meets) {
			await this.service.fault(faultOf(meets.name, `/api/v1/campaigns/${this.campaign}/webhooks*`, meets.method));
		}
		const parameters = { resource: 'webhook', operation: 'rotateSecret', campaign: byId(this.campaign) };
		const { outputs } = await inFastTime(
			async () =>
				await this.service.run({ ...parameters, webhook: byId(webhook.id) }, [{}], {
					n8n: this.instance,
					node: { onError: 'continueRegularOutput' },
				}),
		);
		await this.endFaults();
		this.seen.add(`rotate: ${String(outputs[0]?.[0]?.json.rotated ?? 'failed')}`);
	}

	private async endFaults(): Promise<void> {
		await fetch(`${this.service.url}/_sandbox/faults`, { method: 'DELETE' });
	}

	/** One of the attempts to deliver to a webhook that the service still has. */
	private async attempt(which: number): Promise<Attempt | undefined> {
		const kept = (await this.webhooks()).map(({ id }) => id).filter((id) => this.ownWebhooks.has(id));
		const attempts = await this.attempts(kept);
		return attempts[which % attempts.length];
	}

	private expectNoError(error: Error | undefined): void {
		if (error) {
			this.problems.push(`A trigger failed: ${error.message}`);
		}
	}

	/** Nothing of what belongs to others has changed. */
	private async expectUntouched(before: StoredWebhook[], others: Deployment): Promise<void> {
		const now = before.length > 0 ? await this.webhooks() : [];
		const url = this.urlOf(others);
		for (const webhook of before) {
			const isOthers = webhook.id === this.foreign || (url !== undefined && webhook.webhook_url.startsWith(url));
			const same = now.find(({ id }) => id === webhook.id);
			if (isOthers && JSON.stringify(same) !== JSON.stringify(webhook)) {
				this.problems.push(`A webhook of somebody else was changed: ${webhook.webhook_url}`);
			}
		}
	}

	/** Runs a node that calls. Some of its requests meet faults. */
	private async call(step: CallStep): Promise<void> {
		const id = `run ${++runs}`;
		const numbers = step.numbers.map((index) => NUMBERS[index] ?? '');
		const campaign = { resource: 'campaign', campaign: byId(this.campaign) };
		const agent = { resource: 'call', agent: byId(this.service.seed.agents.published) };
		const path = step.operation === 'queueCall' ? '/api/v1/campaigns/*' : '/api/v1/agents/*';
		for (const name of step.meets) {
			await this.service.fault(faultOf(name, path));
		}
		const isWaiting = step.operation === 'placeAndWait';
		const running = async () =>
			await this.service.run(
				{
					...(step.operation === 'queueCall' ? campaign : agent),
					operation: step.operation,
					phoneNumber: '={{ $json.to ?? "none".toDateTime() }}',
					...(isWaiting && { waitBy: 'polling' }),
					// Other metadata at each try make no other call.
					options: { metadataJson: `={{ { run: '${id}', at: Math.random() } }}`, missingVariables: 'ignore' },
				},
				numbers.map((to) => (to === '' ? {} : { to })),
				{
					...(step.inSubWorkflow ? { mode: 'integrated', rootMode: step.mode } : { mode: step.mode }),
					...(step.testCallsOnly && { credentials: this.service.credentials({ testCallsOnly: true }) }),
					package: step.inWorker ? this.worker : this.instance.loaded,
					node: {
						onError: step.onError,
						...(step.retry && { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }),
					},
				},
			);
		const { outputs, run } = await (isWaiting ? this.whileTimePasses(running()) : inFastTime(running));
		await this.endFaults();
		const items = outputs.flat().map(({ json, pairedItem }) => ({ item: (pairedItem as { item: number }).item, json }));
		for (const { json } of items) {
			this.seen.add(`${step.operation}: ${json.result}`);
		}
		this.runs.push({ id, step, numbers, items, error: run.error });
	}

	/** Awaits a run; meanwhile time passes quickly, for the service and for the node. */
	private async whileTimePasses<Result>(run: Promise<Result>): Promise<Result> {
		let isOver = false;
		const end = () => (isOver = true);
		run.then(end, end);
		while (!isOver) {
			await this.service.advance(20);
			harness.skipTime(20_000);
			await sleep(5);
		}
		harness.restoreTime();
		return await run;
	}

	/** Sends an event with a signature that does not fit. */
	private async forge(tamper: string, which: number): Promise<void> {
		const attempt = await this.attempt(which);
		if (!attempt) {
			return;
		}
		const before = this.instance.executions.length;
		await this.service.control(`deliveries/${attempt.id}/resend`, { tamper });
		const last = (await this.attempts([attempt.webhook_id])).at(-1);
		const started = this.instance.executions.length - before;
		this.seen.add(`forged: ${last?.http_status}`);
		if (started > 0 || last?.http_status === 200) {
			this.problems.push(`A delivery with another ${tamper} was taken (${last?.http_status}), and started ${started}`);
		}
	}
}
