import { type Deployment, harness, type Instance, type LoadedPackage, type WorkflowRun } from '../harness.mts';
import { byId, goesOn, jsonOf, type Service } from '../service.mts';
import { onAgent, triggerNode } from '../triggers.mts';
import { reportsOf } from './auditExecutions.mts';
import { Clock } from './clock.mts';
import type { ExecutionStep } from './executionStep.mts';
import { type Execution, Executions } from './executions.mts';
import { faultOf } from './faults.mts';
import type { Step } from './steps.mts';

const CALL_EVENTS = ['queued', 'started', 'completed', 'failed', 'retry_scheduled'];
const EVENTS = CALL_EVENTS.map((event) => `campaign_call.${event}`);

export interface Attempt {
	id: string;
	delivery_id: string;
	webhook_id: string;
	event: string;
	call_id: string | null;
	http_status: number | null;
}

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

/** A campaign makes its calls to one number one after the other, and tries each several times, days apart. */
const CALLED_DAYS = 150;
const DAY_S = 86_400;

let worlds = 0;

/** Without the week between two calls to a number: a wait takes no longer than that. */
const NO_REST = { enable_post_completion_cooldown: false };

/** Creates a campaign that may call at any time. */
async function createCampaign(service: Service): Promise<string> {
	const { body } = await service.api('POST', 'campaigns', {
		name: 'Simulated',
		campaign_type: 'custom',
		agent_id: service.seed.agents.published,
		start_date: '2020-01-01',
		days_of_week: [1, 2, 3, 4, 5, 6, 7],
		timezone: 'UTC',
		call_time_ranges: [{ start: '00:00', end: '23:59' }],
		max_retries: 2,
		retry_cooldown_hours: 1,
		...NO_REST,
	});
	const { id } = body.data as { id: string };
	await service.api('PATCH', `campaigns/${id}/status`, { status: 'active' });
	return id;
}

/** One campaign at the service, two n8n with a trigger each, and a webhook of somebody else. */
export class World {
	readonly executions: Executions;
	/** IDs of the webhooks that delivered to the own trigger. */
	readonly ownWebhooks = new Set<string>();
	restarts = 0;
	/** What happened, in short: a test sees whether it was worth something. */
	readonly seen: Set<string>;
	readonly problems: string[] = [];
	/** What happened, step by step. */
	readonly steps: Array<Step | Execution[]> = [];
	readonly own: Deployment;
	readonly other: Deployment;
	readonly campaign: string;
	private readonly foreign: string;
	private readonly service: Service;
	private readonly processes: Processes;
	private readonly backups: ReturnType<Deployment['storedStaticData']>[] = [];
	private readonly catchUpData = {};
	private readonly clock: Clock;
	private listener: Deployment | undefined;
	private outage = 0;

	private constructor(
		service: Service,
		clock: Clock,
		processes: Processes,
		campaign: string,
		foreign: string,
		agents: string[],
		seen: Set<string>,
	) {
		this.seen = seen;
		this.service = service;
		this.clock = clock;
		this.processes = processes;
		const campaigns = [campaign, service.seed.campaigns.active, service.seed.campaigns.paused];
		const home = { n8n: processes.own, worker: processes.worker };
		this.executions = new Executions(service, clock, home, { agents, campaigns }, `history-${++worlds}`);
		this.campaign = campaign;
		this.foreign = foreign;
		const { own: instance, other } = processes;
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

	static async make(service: Service, processes: Processes, seen: Set<string>): Promise<World> {
		const clock = await Clock.start(service);
		const campaign = await createCampaign(service);
		for (const id of [service.seed.campaigns.active, service.seed.campaigns.paused]) {
			await service.api('PUT', `campaigns/${id}`, NO_REST);
		}
		const webhook = { name: 'Not ours', webhook_url: `${service.url}/nobody`, events: EVENTS, enabled: false };
		const made = await service.api('POST', `campaigns/${campaign}/webhooks`, webhook);
		const foreign = (made.body.data as { id: string }).id;
		const { published, draft } = service.seed.agents;
		const listed = (await service.api('GET', 'agents?status=published&direction=outbound')).body.data as Array<{
			id: string;
		}>;
		const other = listed.find(({ id }) => id !== published)!.id;
		return new World(service, clock, processes, campaign, foreign, [published, other, draft], seen);
	}

	async webhooks(): Promise<StoredWebhook[]> {
		const all = (await this.service.storedWebhooks()) as StoredWebhook[];
		return all.filter(({ campaign_id }) => campaign_id === this.campaign);
	}

	/** Those of the own trigger, as far as the service still has them. */
	async webhooksOfOwn(): Promise<StoredWebhook[]> {
		return (await this.webhooks()).filter(({ id }) => this.ownWebhooks.has(id));
	}

	/** The attempts to deliver events to the own trigger, the oldest first. @param webhooks only to these */
	async attempts(webhooks = [...this.ownWebhooks]): Promise<Attempt[]> {
		const pages = webhooks.map((id) => this.service.control(`deliveries?webhookId=${id}&limit=500`));
		return ((await Promise.all(pages)) as Array<{ items: Attempt[] }>).flatMap(({ items }) => items.reverse());
	}

	/** How many executions of the own trigger each event has started, by its ID. */
	started(): Map<string, number> {
		const counts = new Map<string, number>();
		for (const { items } of this.processes.own.executions.filter(({ workflowId }) => workflowId === this.own.id)) {
			const id = String(items[0]?.id);
			counts.set(id, (counts.get(id) ?? 0) + 1);
		}
		return counts;
	}

	async do(step: Step): Promise<void> {
		const before = step.do === 'publish' || step.do === 'unpublish' || step.do === 'edit' ? await this.webhooks() : [];
		await this.act(step);
		const url = this.urlOf(this.own);
		const all = url === undefined ? [] : await this.webhooks();
		for (const { id } of all.filter(({ webhook_url }) => webhook_url.startsWith(String(url)))) {
			this.ownWebhooks.add(id);
		}
		const whose = 'whose' in step ? step.whose : 'own';
		await this.expectUntouched(before, whose === 'own' ? this.other : this.own);
	}

	/** Lets all that is due soon happen, the retries of deliveries included. */
	async settle(): Promise<void> {
		this.outage = 0;
		await this.service.control('credits', { credits: null });
		await this.setStatus('active');
		for (const event of EVENTS) {
			await this.service.control('delays', { event, seconds: 0 });
		}
		await this.clock.advance(3 * DAY_S);
		await this.processes.own.settled();
	}

	/** Lets the executions end that wait, and the campaigns make all of their calls. */
	async settleCalls(): Promise<void> {
		await this.clock.advance(3 * DAY_S);
		await this.executions.settle();
		await this.clock.advance(CALLED_DAYS * DAY_S);
		await this.processes.own.settled();
	}

	async end(): Promise<void> {
		for (const trigger of [this.own, this.other, this.listener]) {
			await trigger?.unpublish();
		}
	}

	async catchUp(webhook: string): Promise<Record<string, unknown>> {
		const which = { source: 'campaign', campaign: byId(this.campaign), webhook: byId(webhook) };
		const parameters = { resource: 'webhook', operation: 'catchUp', ...which };
		const options = { staticData: this.catchUpData };
		const ran = await this.clock.during(async () => await this.service.run(parameters, [{}], options));
		if (ran.run.error) {
			throw ran.run.error;
		}
		const [report = {}] = jsonOf(ran);
		this.seen.add(`catch up: ${Number(report.redelivered) > 0 ? 'redelivered' : 'nothing'}`);
		return report;
	}

	urlOf(deployment: Deployment): string | undefined {
		try {
			return deployment.webhookUrl();
		} catch {
			return undefined;
		}
	}

	private async act(step: Step): Promise<void> {
		if (step.do !== 'execute') {
			this.steps.push(step);
		}
		switch (step.do) {
			case 'execute':
				return await this.execute(step);
			case 'advance':
				return await this.clock.advance(step.seconds);
			case 'campaign':
				return await this.setStatus(step.status);
			case 'listen':
				return await this.listen(step.events);
			case 'awaitCampaign':
				return await this.awaitCampaign(step);
			case 'credits':
				this.executions.credits = step.left;
				return void (await this.service.control('credits', { credits: step.left }));
			case 'publish':
			case 'unpublish':
			case 'edit':
				return await this.changeTrigger(step);
			case 'outage':
				this.outage = step.deliveries;
				return;
			case 'restart':
				this.restarts++;
				return this.processes.own.restart(await harness.loadAgain());
			case 'restore': {
				const backup = this.backups.at(-step.ago);
				return backup && this.own.restoreStaticData(backup);
			}
			case 'copy':
				return this.other.restoreStaticData(this.own.storedStaticData());
			case 'forge':
				return await this.forge(step.tamper, step.which);
			case 'again': {
				const attempt = await this.attempt(step.which);
				return void (attempt && (await this.service.control(`deliveries/${attempt.id}/resend`, { times: step.times })));
			}
			case 'late':
				return void (await this.service.control('delays', { event: EVENTS[step.event], seconds: step.seconds }));
			case 'rotate':
				return await this.rotate(step);
			case 'catchUp': {
				const [webhook] = await this.webhooksOfOwn();
				if (webhook) {
					await this.catchUp(webhook.id);
				}
			}
		}
	}

	private async setStatus(status: string, campaign = this.campaign): Promise<void> {
		await this.service.api('PATCH', `campaigns/${campaign}/status`, { status });
	}

	/** Publishes another trigger, which hears what becomes of the calls of an agent. */
	private async listen(events: string[]): Promise<void> {
		if (this.listener === undefined) {
			const parameters = onAgent(this.service, events);
			this.listener = this.processes.own.deploy({
				nodes: [triggerNode(this.service, parameters), { name: 'Next', type: 'harness.noOp' }],
			});
			const { error } = await this.clock.during(async () => await this.listener!.publish());
			if (error) {
				this.problems.push(`The trigger of an agent failed: ${error.message}`);
			}
		}
	}

	/** Waits for a campaign, which ends meanwhile. */
	private async awaitCampaign({ waitBy, end, forged }: Extract<Step, { do: 'awaitCampaign' }>): Promise<void> {
		const campaign = await createCampaign(this.service);
		const { own } = this.processes;
		const parameters = { resource: 'campaign', operation: 'waitUntilCompleted', campaign: byId(campaign), waitBy };
		const running = this.service.run(parameters, [{}], { n8n: own, package: own.loaded });
		const [ran] = await Promise.all([
			this.clock.during(async () => await running, true),
			waitBy === 'polling' && this.setStatus(end, campaign),
		]);
		if (ran.run.status !== 'waiting') {
			return this.expectEnd(campaign, end, jsonOf(ran));
		}
		const { id } = ran.run as unknown as WorkflowRun;
		const [webhook] = await this.service.webhooks(campaign);
		if (forged) {
			const { tamper } = forged;
			await this.service.deliver({ webhookId: webhook!.id, event: 'campaign.completed', tamper });
			if (own.waiting.rest(id)) {
				this.problems.push(`A delivery with another ${tamper} has ended the wait for a campaign`);
			}
		}
		// A campaign that is cancelled sends no event.
		await this.setStatus('completed', campaign);
		await this.clock.jump(1);
		await this.executions.awaken(id);
		const rest = await own.waiting.rest(id);
		this.expectEnd(campaign, 'completed', rest?.nodes.Node?.flatMap(jsonOf) ?? []);
		const left = await this.service.webhooks(campaign);
		if (left.length > 0) {
			this.problems.push(`The wait for a campaign leaves ${left.length} webhooks`);
		}
	}

	private expectEnd(campaign: string, end: string, json: Array<Record<string, unknown>>): void {
		this.seen.add(`campaign: ${String(json[0]?.outcome)}`);
		if (json.length !== 1 || json[0]?.outcome !== end || json[0]?.id !== campaign) {
			this.problems.push(`A campaign that is ${end} was awaited, with the output ${JSON.stringify(json)}`);
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
		await this.meet(step.meets);
		const events = step.do === 'edit' ? EVENTS.filter((_event, index) => index !== step.without) : [];
		const { error, teardownError } = await this.clock.during(async () =>
			step.do === 'edit'
				? await deployment.edit('Trigger', { parameters: { events } })
				: await (step.do === 'publish' ? deployment.publish() : deployment.unpublish()),
		);
		await this.endFaults();
		const problem = error ?? teardownError;
		if (problem) {
			this.problems.push(`A trigger failed: ${problem.message}`);
		}
	}

	private async rotate({ meets }: Extract<Step, { do: 'rotate' }>): Promise<void> {
		const [webhook] = await this.webhooksOfOwn();
		if (webhook === undefined || this.urlOf(this.own) === undefined) {
			return;
		}
		await this.meet(meets);
		const which = { campaign: byId(this.campaign), webhook: byId(webhook.id) };
		const parameters = { resource: 'webhook', operation: 'rotateSecret', ...which };
		const options = { n8n: this.processes.own, node: goesOn };
		const ran = await this.clock.during(async () => await this.service.run(parameters, [{}], options));
		await this.endFaults();
		this.seen.add(`rotate: ${String(jsonOf(ran)[0]?.rotated ?? 'failed')}`);
	}

	private async meet(fault: { method: string; name: string } | undefined): Promise<void> {
		if (fault) {
			await this.service.fault(faultOf(fault.name, `/api/v1/campaigns/${this.campaign}/webhooks*`, fault.method));
		}
	}

	private async endFaults(): Promise<void> {
		await fetch(`${this.service.url}/_sandbox/faults`, { method: 'DELETE' });
	}

	/** One of the attempts to deliver to a webhook that the service still has. */
	private async attempt(which: number): Promise<Attempt | undefined> {
		const attempts = await this.attempts((await this.webhooksOfOwn()).map(({ id }) => id));
		return attempts[which % attempts.length];
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

	private async execute(step: ExecutionStep): Promise<void> {
		const played = await this.executions.play(step);
		this.steps.push(played);
		for (const execution of played) {
			for (const [index, { run, canceled }] of execution.tries.entries()) {
				this.seen.add(`${index > 0 ? 'retry' : 'execution'}: ${canceled === undefined ? run.status : 'canceled'}`);
			}
			for (const { node, result } of reportsOf(execution)) {
				const { operation } = execution.callers[node]!;
				this.seen.add(`${execution.step.agent ? 'tool' : operation}: ${result}`);
			}
		}
	}

	/** Sends an event with a signature that does not fit. */
	private async forge(tamper: string, which: number): Promise<void> {
		const attempt = await this.attempt(which);
		if (!attempt) {
			return;
		}
		const sent = await this.service.control(`deliveries/${attempt.id}/resend`, { tamper });
		const { attempts } = sent as { attempts: Array<{ status: number | null }> };
		const status = attempts[0]?.status;
		this.seen.add(`forged: ${status}`);
		// If it started something nevertheless, its event has started an execution too many.
		if (status === 200) {
			this.problems.push(`A delivery with another ${tamper} was taken`);
		}
	}
}
