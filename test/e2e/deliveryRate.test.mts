import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache } from '../../scripts/lib/places.mts';
import { until } from '../../scripts/lib/waiting.mts';
import { deliver, ownReceiver, type Receiver } from '../bench/deliveries.mts';
import { spread } from '../bench/numbers.mts';
import { startGithub } from '../bench/rows/deliveries.mts';
import { Instance } from './instance.mts';
import { QueueMode } from './queueMode.mts';

const OWN = 'Our trigger';
const GITHUB = 'GitHub Trigger';
const WEBHOOK = 'Webhook';
const CONNECTIONS = [1, 10];
const AMOUNTS: Record<number, number> = { 1: 40, 10: 150 };
const ROUNDS = 3;

/** How n8n runs, and what it is told. */
const modes: Array<[string, boolean, NodeJS.ProcessEnv]> = [
	['One process', false, {}],
	['One process, lazily', false, { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
	['Queue mode', true, {}],
	['Queue mode, lazily', true, { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
];

/** Deliveries a second by mode, trigger and number of connections. */
const rates: Array<{ mode: string; trigger: string; connections: number; perSecond: number; p95: number }> = [];

const rateOf = (mode: string, trigger: string, connections: number) =>
	rates.find((one) => one.mode === mode && one.trigger === trigger && one.connections === connections)?.perSecond ?? 0;

afterAll(() => {
	const lines = rates.map(({ mode, trigger, connections, perSecond, p95 }) =>
		[mode, trigger, connections, perSecond.toFixed(1), p95.toFixed(0)].join(' | '),
	);
	const table = ['Mode | Trigger | Connections | Deliveries a second | p95, ms', '---|---|---|---|---', ...lines].join(
		'\n',
	);
	writeFileSync(join(cache, 'deliveryRate.md'), `${table}\n`);
	console.log(table);
});

/** Publishes one workflow of each trigger. @returns where they take deliveries, and their workflows */
async function publish(n8n: Instance): Promise<{ receivers: Record<string, Receiver>; workflows: string[] }> {
	const github = await startGithub();
	const data = { server: github.url, user: 'octocat', accessToken: 'none' };
	const credential = { id: await n8n.createCredential('GitHub', 'githubApi', data), name: 'GitHub' };
	const ours = n8n.trigger(n8n.sandbox.campaignId);
	const theirs = {
		...n8n.node('Events', 'n8n-nodes-base.githubTrigger', 1, {
			owner: { __rl: true, mode: 'name', value: 'octocat' },
			repository: { __rl: true, mode: 'name', value: 'hello-world' },
			events: ['push'],
		}),
		webhookId: crypto.randomUUID(),
		credentials: { githubApi: credential },
	};
	const path = crypto.randomUUID();
	const plain = {
		...n8n.node('Events', 'n8n-nodes-base.webhook', 2.1, { httpMethod: 'POST', path }),
		webhookId: path,
	};
	const workflows: string[] = [];
	for (const [name, node] of Object.entries({ [OWN]: ours, [GITHUB]: theirs, [WEBHOOK]: plain })) {
		const id = await n8n.createWorkflow(name, [node]);
		await n8n.editor.publish(id);
		workflows.push(id);
	}
	const [webhook] = await n8n.webhooksWhen(n8n.sandbox.campaignId, ({ length }) => length === 1);
	const sent = (await n8n.requests()).findLast(({ body }) => body?.webhook_secret !== undefined);
	const hook = await until(async () => github.hook, {
		seconds: 30,
		otherwise: () => new Error('The GitHub Trigger registers no webhook'),
	});
	github.server.closeAllConnections();
	github.server.close();
	const { origin } = new URL(webhook.webhook_url);
	const receivers = {
		[OWN]: ownReceiver(sent?.body as Record<string, string>),
		[GITHUB]: {
			...hook,
			headers: (id: string, signature: string) => ({
				...{ 'x-github-event': 'push', 'x-github-delivery': id, 'x-github-hook-id': '1' },
				'x-hub-signature-256': `sha256=${signature}`,
			}),
		},
		[WEBHOOK]: {
			url: `${origin}/webhook/${path}`,
			secret: 'not asked for',
			headers: (id: string, signature: string) => ({ 'x-delivery': id, 'x-signature': signature }),
		},
	};
	return { receivers, workflows };
}

/** Measures in turns, so that changes of the machine affect all equally. */
async function measure(mode: string, n8n: Instance): Promise<void> {
	const { receivers, workflows } = await publish(n8n);
	const idle = async () => {
		const lists = await Promise.all(workflows.map(async (id) => await n8n.editor.executions(id)));
		return lists.flat().every(({ status }) => !['new', 'running', 'waiting'].includes(status)) || undefined;
	};
	for (const receiver of Object.values(receivers)) {
		const ready = async () => await deliver(receiver, { connections: 1, amount: 5 }).catch(() => undefined);
		await until(ready, { seconds: 60, otherwise: () => new Error(`${receiver.url} takes no deliveries`) });
	}
	for (const connections of CONNECTIONS) {
		const runs: Record<string, Array<Awaited<ReturnType<typeof deliver>>>> = {};
		for (let round = 0; round < ROUNDS; round++) {
			for (const [trigger, receiver] of Object.entries(receivers)) {
				const run = await deliver(receiver, { connections, amount: AMOUNTS[connections] ?? 0 });
				(runs[trigger] ??= []).push(run);
				await until(idle, { seconds: 180, otherwise: () => new Error('The executions do not end') });
			}
		}
		for (const [trigger, all] of Object.entries(runs)) {
			const of = (value: 'perSecond' | 'p95') => spread(all.map((run) => run[value])).median;
			rates.push({ mode, trigger, connections, perSecond: of('perSecond'), p95: of('p95') });
		}
	}
}

describe.each(modes)('%s', (mode, isQueueMode, settings) => {
	test('deliveries to our trigger are as fast as to the GitHub Trigger', async () => {
		const env = { ...settings, EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' };
		const choice = { options: ['--rate-limit', '1000000'] };
		const queueMode = isQueueMode ? await QueueMode.start(choice, env) : undefined;
		const n8n = queueMode?.n8n ?? (await Instance.start({ ...choice, env }));
		try {
			await measure(mode, n8n);
		} finally {
			await (queueMode ?? n8n).stop();
		}
		for (const connections of CONNECTIONS) {
			// Both do the same work; the rest is the machine.
			expect(rateOf(mode, OWN, connections)).toBeGreaterThan(rateOf(mode, GITHUB, connections) * 0.85);
		}
	}, 1_200_000);
});
