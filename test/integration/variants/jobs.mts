import { harness, type WorkflowRun } from '../harness.mts';
import { startReceiver } from '../receiver.mts';
import { byId, goesOn, inFastTime, type Service, startService, to, until } from '../service.mts';
import { onAgent, publishTrigger } from '../triggers.mts';
import { kinds, Webhooks } from '../VoiceAgentCalling/resources/webhookKinds.mts';
import { done, type Job, type Json, must, ran, Said, saysSo, type Verdict, works } from './job.mts';

const [campaigns] = kinds;
const HOUR_MS = 3_600_000;
const PHONES = ['+12025550001', '+12025550005', '+12025550011'] as const;

const called = async (service: Service) =>
	(await service.calls())
		.map((call) => call.to)
		.filter((phone) => (PHONES as readonly string[]).includes(phone))
		.toSorted();

/** The numbers that a campaign is to call, as the sandbox has them. */
async function queued(service: Service, campaign = service.seed.campaigns.active): Promise<string[]> {
	const page = (await service.control(`campaigns/${campaign}/calls`)) as { items: Array<{ to: string }> };
	return page.items.map((call) => call.to).toSorted();
}

const statusOf = async (service: Service, campaign: string) =>
	((await service.control(`campaigns/${campaign}`)) as { status: string }).status;

const same = (one: readonly string[], other: readonly string[]) => one.toSorted().join() === other.toSorted().join();

const ignore = { missingVariables: 'ignore' };

/** Checks calls against what the node says of them: whom it says it called was called once, and nobody else. */
function judgeCalls(said: string | undefined, items: readonly Json[], rang: readonly string[], done: string): Verdict {
	must(new Set(rang).size === rang.length, 'A phone was called twice', rang);
	for (const [index, phone] of PHONES.entries()) {
		const { result } = items[index] ?? {};
		const isCalled = rang.includes(phone);
		must(result !== done || isCalled, `${phone} is reported as called and was not`, items[index]);
		must(
			!['failed', 'notTried', 'notReady'].includes(String(result)) || !isCalled,
			`${phone} was called, and is reported as failed`,
			items[index],
		);
	}
	if (items.every(({ result, id }) => result === done && id !== undefined && id !== null)) {
		return works;
	}
	return saysSo(said);
}

async function listening(service: Service, kind: 'agent' | 'campaign', events: string[]) {
	const published = await publishTrigger(service, kind === 'agent' ? onAgent(service, events) : { events }).catch(
		(error: Error & { description?: string }) => {
			throw new Said(`${error.message} ${error.description ?? ''}`);
		},
	);
	service.n8nUrl = published.instance.url;
	return published;
}

const ENDS = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];

const byEvent = {
	waitBy: 'event',
	options: { missingVariables: 'ignore', timeLimit: { values: { amount: 1, unit: 'hours' } } },
};

/** Lets the service's time pass until the execution goes on. @returns its output items */
async function awaited(service: Service, n8n: Awaited<ReturnType<typeof harness.startInstance>>, run: WorkflowRun) {
	for (let step = 0; step < 12 && n8n.waiting.rest(run.id) === undefined; step++) {
		await service.advance(10);
	}
	return (await n8n.waiting.rest(run.id))?.nodes.Node?.[0]?.outputs[0]?.map(({ json }) => json as Json);
}

/** Places or queues calls and waits for them by event. */
async function waitFor(service: Service, kind: 'agent' | 'campaign', parameters: Json): Promise<Verdict> {
	const events = kind === 'agent' ? ENDS : ['campaign_call.completed', 'campaign_call.failed'];
	const { instance: n8n } = await listening(service, kind, events);
	const { run, outputs } = await service.run(parameters as never, to(PHONES[0]), { n8n, node: goesOn });
	const rang = kind === 'agent' ? await called(service) : await queued(service);
	must(rang.length <= 1, 'A phone was called twice', rang);
	const first = outputs[0]?.[0]?.json as Json | undefined;
	if (run.status !== 'waiting') {
		must(
			rang.length === 0 || ['unknown', 'placed', 'queued'].includes(String(first?.result)),
			'A call is reported as failed',
			first,
		);
		return saysSo(run.error?.message ?? first?.message);
	}
	const waiting = run as unknown as WorkflowRun;
	const items = await awaited(service, n8n, waiting);
	if (items === undefined) {
		// The wait ends at its time limit, and asks the service then.
		harness.passTime(2 * HOUR_MS);
		await until(async () => n8n.waiting.rest(waiting.id) !== undefined);
		const late = (await n8n.waiting.rest(waiting.id))?.nodes.Node?.[0]?.outputs[0];
		const [{ json }] = late as unknown as [{ json: Json }];
		harness.restoreTime();
		must(['completed', 'timedOut'].includes(String(json.outcome)), 'The outcome is wrong', json);
		return saysSo(`Only at the time limit: the outcome is ${String(json.outcome)}`);
	}
	must(items[0]?.outcome === 'completed', 'The outcome is wrong', items);
	return works;
}

export const jobs: readonly Job[] = [
	{
		name: 'Credential test',
		async run(service) {
			const { status, message } = await harness.testCredential(
				'voiceAgentCallingApi',
				service.credentials().voiceAgentCallingApi,
			);
			return status === 'OK' ? works : saysSo(message);
		},
	},
	{
		name: 'Pickers',
		async run(service) {
			const type = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
			for (const method of ['searchCallingAgents', 'searchCampaigns', 'searchVoiceTemplates', 'searchPhoneNumbers']) {
				const asked = harness.listSearch({ type, method, credentials: service.credentials() });
				const { results } = await asked.catch((error: Error) => {
					throw new Said(error.message);
				});
				must(results.length > 0, `${method} shows nothing`);
				const values = results.map(({ value }) => String(value));
				must(new Set(values).size === values.length, `${method} shows something twice`, values);
			}
			return works;
		},
	},
	{
		name: 'Place',
		async run(service) {
			const { items, said } = await ran(service, service.place(ignore), to(...PHONES));
			return judgeCalls(said, items, await called(service), 'placed');
		},
	},
	{
		name: 'Queue Call',
		async run(service) {
			const { items, said } = await ran(service, service.queue(ignore), to(...PHONES));
			return judgeCalls(said, items, await queued(service), 'queued');
		},
	},
	{
		name: 'Queue Call, queued before',
		async run(service) {
			const first = await ran(service, service.queue(ignore), to(PHONES[0]));
			const { items, said } = await ran(service, service.queue(ignore), to(PHONES[0]));
			must(
				same(await queued(service), first.said && (await queued(service)).length === 0 ? [] : [PHONES[0]]),
				'The number is queued twice',
				await queued(service),
			);
			const [{ result } = { result: undefined }] = items;
			must(result !== 'queued', 'The second call is reported as queued', items);
			return result === 'alreadyQueued' && items[0]?.id ? works : saysSo(said);
		},
	},
	{
		name: 'Queue Call, campaign not active',
		async run(service) {
			const { completed } = service.seed.campaigns;
			const { items, said } = await ran(service, service.queue(ignore, { campaign: byId(completed) }), to(PHONES[0]));
			must((await queued(service, completed)).length === 0, 'A completed campaign is to call');
			must(items[0]?.result !== 'queued', 'It is reported as queued', items);
			return items[0]?.code === 'CAMPAIGN_NOT_ACTIVE' ? works : saysSo(said);
		},
	},
	{
		name: 'Set Status',
		async run(service) {
			const { active } = service.seed.campaigns;
			const parameters = { resource: 'campaign', operation: 'setStatus', campaign: byId(active), status: 'paused' };
			const { items, said } = await ran(service, parameters);
			const isPaused = (await statusOf(service, active)) === 'paused';
			if (said !== undefined) {
				// To set a status twice makes no difference, so the result may be `failed`.
				must(items[0]?.changed !== true, 'It is reported as failed and as changed', items);
				return saysSo(said);
			}
			must(isPaused, 'It is reported as paused, and is not', items);
			must(
				items[0]?.changed === true && /^paused$/i.test(String(items[0]?.status)),
				'The output does not say that it is paused',
				items,
			);
			return works;
		},
	},
	...(['campaign', 'agent'] as const).map(
		(kind): Job => ({
			name: `Trigger of ${kind === 'agent' ? 'an agent' : 'a campaign'}`,
			async run(service) {
				const event = kind === 'agent' ? 'event_phone_call_ended' : 'campaign_call.completed';
				const { instance, webhookId } = await listening(service, kind, [event]);
				for (const tamper of ['body', 'signature', 'secret'] as const) {
					await service.deliver({ webhookId, event, tamper });
				}
				must(instance.executions.length === 0, 'A forged delivery has started the workflow', instance.executions);
				const before = harness.logLines.length;
				await service.deliver({ webhookId, event, data: { to: PHONES[0] } });
				if (instance.executions.length === 0) {
					return saysSo(harness.logLines.slice(before).find(({ level }) => level === 'warn')?.message);
				}
				must(instance.executions.length === 1, 'An event has started the workflow twice', instance.executions);
				const page = await service.control('deliveries?limit=50');
				const attempts = (page as { items: Array<{ id: string; status: string }> }).items;
				const taken = attempts.find(({ status }) => status === 'success');
				await service.control(`deliveries/${taken?.id}/resend`, {});
				must(instance.executions.length === 1, 'A repeated event has started the workflow again', instance.executions);
				const started = JSON.stringify(instance.executions[0]?.items).replaceAll(' ', '');
				must(started.includes(PHONES[0].slice(1)), 'The item lacks the number', started);
				return works;
			},
		}),
	),
	{
		name: 'Calls beyond the rate limit',
		async run(service) {
			const chosen = (await service.control('variants')) as Array<{ name: string; chosen: boolean }>;
			const variants = chosen.filter((variant) => variant.chosen).map(({ name }) => name);
			const limited = await startService({ rateLimit: 4, rateWindow: 0.2, minimumStatusMs: 0, variants });
			const phones = Array.from({ length: 12 }, (_, n) => `+120255520${10 + n}`);
			const parameters = limited.place(ignore, { sending: { maxWait: 60 } });
			const { items, said } = await inFastTime(async () => await ran(limited, parameters, to(...phones)));
			const rang = (await limited.calls()).map((call) => call.to).filter((phone) => phones.includes(phone));
			must(new Set(rang).size === rang.length, 'A phone was called twice', rang);
			const placed = items.filter(({ result }) => result === 'placed').length;
			must(placed <= rang.length, 'A call is reported as placed and was not', items);
			return placed === phones.length ? works : saysSo(said);
		},
	},
	{
		name: 'Place and Wait',
		run: async (service) =>
			await waitFor(service, 'agent', service.place(ignore, { operation: 'placeAndWait', ...byEvent })),
	},
	{
		name: 'Queue Call and Wait',
		run: async (service) =>
			await waitFor(service, 'campaign', service.queue(ignore, { operation: 'queueCallAndWait', ...byEvent })),
	},
	{
		name: 'Wait Until Completed',
		async run(service) {
			const { active } = service.seed.campaigns;
			const n8n = await harness.startInstance({ credentials: service.credentials() });
			const { run, outputs } = await service.run(
				{ resource: 'campaign', operation: 'waitUntilCompleted', campaign: byId(active), waitBy: 'event' },
				[{}],
				{ n8n, node: goesOn },
			);
			if (run.status !== 'waiting') {
				return saysSo(run.error?.message ?? outputs[0]?.[0]?.json.message);
			}
			await service.api('PATCH', `campaigns/${active}/status`, { status: 'completed' }).catch(() => undefined);
			must((await statusOf(service, active)) === 'completed', 'The test could not complete the campaign');
			const items = await awaited(service, n8n, run as unknown as WorkflowRun);
			if (items === undefined) {
				return saysSo('The end of the campaign is found at the time limit only');
			}
			must(items[0]?.outcome === 'completed', 'The outcome is wrong', items);
			return works;
		},
	},
	{
		name: 'Catch Up',
		async prepare(service) {
			const receiver = await startReceiver();
			const hooks = new Webhooks(service, campaigns as (typeof kinds)[number]);
			const id = await hooks.make(`${receiver}/500`);
			await service.deliver({ webhookId: id, event: 'campaign_call.completed' });
			await hooks.update(id, { webhook_url: `${receiver}/200` });
			return { id };
		},
		async run(service, { id }) {
			const hooks = new Webhooks(service, campaigns as (typeof kinds)[number]);
			const { items, said } = await ran(service, hooks.parameters('catchUp') as Json, [{ id }]);
			const taken = (await service.deliveries()).filter(({ status }) => status === 200).length;
			must(taken <= 1, 'An event was redelivered twice');
			if (said !== undefined) {
				return saysSo(said);
			}
			must(Number(items[0]?.redelivered) === taken, 'The report counts what was not redelivered', items);
			const [{ message } = { message: undefined }] = (items[0]?.deliveries ?? []) as Json[];
			must(taken === 1 || message !== undefined, 'The event is lost, and the report does not say so', items);
			return taken === 1 ? works : saysSo(message);
		},
	},
	{
		name: 'Check Registration',
		async run(service) {
			await listening(service, 'campaign', ['campaign_call.completed']);
			const campaign = byId(service.seed.campaigns.active);
			const check = { resource: 'webhook', source: 'campaign', operation: 'checkRegistration', campaign };
			const [report] = await done(service, check);
			const problems = (report?.problems ?? []) as Array<{ message: string }>;
			return report?.ok === true ? works : saysSo(problems.map(({ message }) => message).join(' '));
		},
	},
	{
		name: 'Validate a flow',
		async run(service) {
			const say = { id: 'a', type: 'say', content: 'Hello.', next: 'b' };
			const flow = JSON.stringify({ initial_node_id: 'a', nodes: [say, { id: 'b', type: 'end' }] });
			const agent = byId(service.seed.agents.published);
			const validate = { resource: 'agentFlow', operation: 'validate', flowSource: 'jsonForAgent', agent, flow };
			must((await done(service, validate)).length > 0, 'There is no output');
			return works;
		},
	},
	{
		name: 'Export and Apply',
		async run(service) {
			const { published } = service.seed.agents;
			const [document] = await done(service, { resource: 'agent', operation: 'export', agent: byId(published) });
			const before = JSON.stringify(await service.control(`agents/${published}`));
			const parameters = {
				resource: 'agent',
				operation: 'apply',
				applyTo: 'existingAgent',
				agent: byId(published),
				document: '={{ $json.document }}',
				options: { publishAfterwards: 'never' },
			};
			const again = await ran(service, parameters, [{ document }]);
			must(
				JSON.stringify(await service.control(`agents/${published}`)) === before || again.said !== undefined,
				'Applying what was exported has changed the agent',
			);
			return again.said === undefined ? works : saysSo(again.said);
		},
	},
];
