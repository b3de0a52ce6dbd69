import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { until } from '../../../scripts/lib/waiting.mts';
import { type Delivered, deliver, ownReceiver, type Receiver } from '../deliveries.mts';
import { Service } from '../lab.mts';
import { ratio, show, spread } from '../numbers.mts';
import { RealN8n, type RealStep } from '../realN8n.mts';
import { atLeast, atMost, type RowResult } from '../result.mts';
import { inTurns } from '../rounds.mts';

const connections = [1, 10];
/** Deliveries per run, by number of connections. Forged ones are answered faster. */
const amounts = { good: { 1: 150, 10: 400 }, forged: { 1: 400, 10: 1500 } } as Record<string, Record<number, number>>;

const own = 'Our trigger';
const github = 'GitHub Trigger';
const webhook = 'Webhook';

/** Successful executions are not saved. */
const settings = { saveDataSuccessExecution: 'none' };

/** Measures verified deliveries to triggers in a real n8n. */
export async function deliveries(): Promise<RowResult> {
	const service = await Service.start();
	const stub = await startGithub();
	let n8n: RealN8n | undefined;
	try {
		const { url: baseUrl, token: environmentToken } = service.target;
		n8n = await RealN8n.start({
			voiceAgentCallingApi: { baseUrl, environmentToken },
			githubApi: { server: stub.url, user: 'octocat', accessToken: 'none' },
		});
		const receivers: Record<string, Published> = {
			[own]: await publishOurs(n8n, service),
			[github]: await publishGithub(n8n, stub),
			[webhook]: await publishWebhook(n8n),
		};
		const contenders: Record<string, () => Promise<Delivered>> = {};
		const add = (kind: string, names: string[], count: number) => {
			for (const name of names) {
				const { receiver, workflowId } = receivers[name]!;
				contenders[`${kind} ${name} ${count}`] = async () => {
					const job = { connections: count, amount: amounts[kind]![count]!, forged: kind === 'forged' };
					const delivered = await deliver(receiver, job);
					await idle(n8n!, workflowId);
					return delivered;
				};
			}
		};
		for (const count of connections) {
			add('good', [own, github, webhook], count);
			add('forged', [own, github], count);
		}
		await inTurns(contenders, 1);
		return report(await inTurns(contenders));
	} finally {
		await n8n?.stop();
		stub.server.closeAllConnections();
		stub.server.close();
		await service.stop();
	}
}

interface Published {
	workflowId: string;
	receiver: Receiver;
}

async function publish(n8n: RealN8n, step: RealStep): Promise<string> {
	const workflowId = await n8n.createWorkflow([step], settings);
	await n8n.editor.publish(workflowId);
	return workflowId;
}

/** Waits until a receiver accepts deliveries. */
async function ready(receiver: Receiver): Promise<Receiver> {
	const ask = async () => {
		const sent = await deliver(receiver, { connections: 1, amount: 1 }).catch(() => undefined);
		return sent && receiver;
	};
	return await until(ask, { seconds: 30, otherwise: () => new Error(`${receiver.url} takes no deliveries`) });
}

async function publishOurs(n8n: RealN8n, service: Service): Promise<Published> {
	const campaign = { __rl: true, mode: 'id', value: service.target.campaignId };
	const workflowId = await publish(n8n, {
		name: own,
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger',
		parameters: { campaign },
		credential: 'voiceAgentCallingApi',
		webhookId: randomUUID(),
	});
	const registration = await until(
		async () => (await service.requests()).find(({ method, path }) => method === 'POST' && path.endsWith('/webhooks')),
		{ seconds: 30, otherwise: () => new Error('Our trigger registers no webhook') },
	);
	return { workflowId, receiver: await ready(ownReceiver(registration.body)) };
}

async function publishGithub(n8n: RealN8n, stub: Github): Promise<Published> {
	const workflowId = await publish(n8n, {
		name: github,
		type: 'n8n-nodes-base.githubTrigger',
		parameters: {
			owner: { __rl: true, mode: 'name', value: 'octocat' },
			repository: { __rl: true, mode: 'name', value: 'hello-world' },
			events: ['push'],
		},
		credential: 'githubApi',
		webhookId: randomUUID(),
	});
	const { url, secret } = await until(async () => stub.hook, {
		seconds: 30,
		otherwise: () => new Error('The GitHub Trigger registers no webhook'),
	});
	const headers = (id: string, signature: string) => ({
		'x-github-event': 'push',
		'x-github-delivery': id,
		'x-github-hook-id': '1',
		'x-hub-signature-256': `sha256=${signature}`,
	});
	return { workflowId, receiver: await ready({ url, secret, headers }) };
}

async function publishWebhook(n8n: RealN8n): Promise<Published> {
	const path = randomUUID();
	const workflowId = await publish(n8n, {
		name: webhook,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path },
		webhookId: path,
	});
	const headers = (id: string, signature: string) => ({
		'x-event': 'campaign_call.completed',
		'x-delivery': id,
		'x-attempt': '1',
		'x-signature': signature,
	});
	return { workflowId, receiver: await ready({ url: `${n8n.url}/webhook/${path}`, secret: 'not asked for', headers }) };
}

/** Waits until all executions have ended. n8n answers earlier, so they would otherwise slow down the next run. */
async function idle({ editor }: RealN8n, workflowId: string): Promise<void> {
	const ask = async () => (await editor.executions(workflowId)).length === 0 || undefined;
	await until(ask, { seconds: 120, otherwise: () => new Error('The executions do not end') });
}

/** A stub of GitHub's API for the registration of a webhook. */
export interface Github {
	url: string;
	server: Server;
	hook?: { url: string; secret: string };
}

export async function startGithub(): Promise<Github> {
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const chunk of request) {
			text += String(chunk);
		}
		if (request.method === 'POST') {
			github.hook = (JSON.parse(text) as { config: NonNullable<Github['hook']> }).config;
		}
		response
			.setHeader('content-type', 'application/json')
			.end(JSON.stringify({ id: 1, active: true, events: ['push'] }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const github: Github = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
	return github;
}

function report(runs: Record<string, Delivered[]>): RowResult {
	const of = (kind: string, name: string, count: number, value: keyof Delivered = 'perSecond') =>
		runs[`${kind} ${name} ${count}`]!.map((run) => run[value]);
	const against = (name: string, count: number) => ratio(of('good', own, count), of('good', name, count));
	// The time per forged delivery relative to a valid one, with n8n fully loaded.
	const cost = (name: string, count: number) => ratio(of('good', name, count), of('forged', name, count));
	const each = <Cells,>(names: string[], cells: (name: string, count: number) => Cells) =>
		connections.flatMap((count) => names.map((name) => cells(name, count)));
	return {
		title: '6. Verified deliveries in a real n8n',
		how: [
			'Three published workflows in one n8n (SQLite, its own settings): our trigger, n8n’s GitHub Trigger, which checks a signature too, and n8n’s Webhook node, which checks nothing. Nothing else is in them, and *Save successful production executions* is off. The GitHub Trigger registered itself with a stand-in for GitHub, named in its credential.',
			'A load generator sends over 1 or 10 connections, on each the next delivery when the one before is answered. All get the same event of 500 bytes, in each delivery with another ID, and four headers beside it. Our trigger looks for the signature in all headers, as it does when none is named. n8n answers when it has stored the execution; before the next run, what is left is waited for.',
			'*Forged*: signed with another key, answered with 401.',
		],
		tables: [
			{
				columns: [
					'Connections',
					'',
					'Deliveries a second',
					'Latency: p50',
					'p95',
					'p99',
					'Our trigger’s deliveries a second / these',
				],
				rows: each([own, github, webhook], (name, count) => [
					String(count),
					name,
					show(spread(of('good', name, count)), 1),
					...(['p50', 'p95', 'p99'] as const).map((value) => show(spread(of('good', name, count, value)), 1, ' ms')),
					name === own ? '' : `**${show(against(name, count))}**`,
				]),
			},
			{
				columns: [
					'Connections',
					'',
					'Forged ones refused a second',
					'Latency: p50',
					'p99',
					'Time of a forged one / of a good one',
				],
				rows: each([own, github], (name, count) => [
					String(count),
					name,
					show(spread(of('forged', name, count)), 0),
					...(['p50', 'p99'] as const).map((value) => show(spread(of('forged', name, count, value)), 1, ' ms')),
					`**${show(cost(name, count))}**`,
				]),
			},
		],
		targets: connections.flatMap((count) => {
			const [rate, forged] = [against(github, count), cost(own, count)];
			const where = `${count} ${count === 1 ? 'connection' : 'connections'}`;
			return [
				atLeast(
					`${where}: at least 0.9 of the GitHub Trigger’s deliveries a second`,
					`${show(rate)} of them`,
					rate.median,
					0.9,
				),
				atMost(
					`${where}: a forged one costs less than a good one`,
					`${show(forged)} of its time`,
					forged.median,
					0.999,
				),
			];
		}),
		raw: runs,
	};
}
