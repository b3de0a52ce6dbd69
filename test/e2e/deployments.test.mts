import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { userFolders } from '../../scripts/lib/places.mts';
import { freePort } from '../../scripts/lib/ports.mts';
import { until } from '../../scripts/lib/waiting.mts';
import { certificate } from '../integration/certificates.mts';
import { byId } from './callAndWait.mts';
import { inParallel } from './eventStream.mts';
import { outputsOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { Nginx } from './proxies.mts';
import { rotateSecret, runOnWebhooks } from './webhookOperation.mts';

const NODE = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const RENAMED = {
	N8N_ENDPOINT_WEBHOOK: 'hooks',
	N8N_ENDPOINT_WEBHOOK_TEST: 'hooks-test',
	N8N_ENDPOINT_WEBHOOK_WAIT: 'resume/waiting',
};

/** How n8n is set up, and the folder of its public address. */
const deployments: Array<[string, { folder: string; endpoint: string; env: (url: string) => NodeJS.ProcessEnv }]> = [
	[
		'below a folder of its host, with renamed addresses,',
		{ folder: '/tools/n8n', endpoint: 'hooks', env: (url) => ({ WEBHOOK_URL: url, ...RENAMED }) },
	],
	[
		'at the root of its host, with N8N_WEBHOOK_URL,',
		{ folder: '', endpoint: 'webhook', env: (url) => ({ WEBHOOK_URL: '', N8N_WEBHOOK_URL: url }) },
	],
];

describe.each(deployments)(
	"n8n behind nginx with the certificate of a company's authority, %s",
	(_what, deployment) => {
		const { folder, endpoint, env } = deployment;
		const authority = certificate('Authority', { isAuthority: true });
		const nginx = new Nginx();
		let n8n: Instance;
		let address: string;

		beforeAll(async () => {
			const port = await freePort(36_000 + (process.pid % 600) * 20);
			address = `https://localhost:${port}${folder}`;
			const file = join(mkdtempSync(join(userFolders, 'e2e-authority-')), 'authority.pem');
			writeFileSync(file, authority.cert);
			n8n = await Instance.start({
				env: { ...env(`${address}/`), N8N_PROXY_HOPS: '1', NODE_EXTRA_CA_CERTS: file },
				// The sandbox delivers to nginx.
				sandboxEnv: { NODE_EXTRA_CA_CERTS: file },
				options: ['--rate-limit', '100000'],
			});
			await nginx.serve({
				port,
				certificate: certificate('localhost', { issuer: authority }),
				does: [
					`if ($uri !~ ^${folder}/) { return 404; }`,
					`rewrite ^${folder}/(.*)$ /$1 break;`,
					`proxy_pass ${n8n.n8n.url}; proxy_set_header Host $http_host;`,
				].join(' '),
			});
		}, 180_000);

		afterAll(async () => {
			await Promise.all([nginx.stop(), n8n?.stop()]);
		}, 30_000);

		test('receives events, checks and rotates, waits for a call, tries a workflow out and takes its webhooks down', async () => {
			const { agentId, campaignId } = n8n.sandbox;
			const node = n8n.trigger(campaignId);
			const id = await n8n.createWorkflow('Events', [node]);
			await n8n.editor.publish(id);
			const [webhook] = await n8n.webhooksWhen(campaignId, ({ length }) => length === 1);
			expect(webhook.webhook_url).toContain(
				`${address}/${endpoint}/${node.webhookId}/webhook?campaign=${campaignId}&g=`,
			);
			await n8n.delivered(webhook.id);
			const check = async () => await runOnWebhooks(n8n, 'checkRegistration', campaignId);
			expect(await check()).toMatchObject([{ ok: true, answers: true, problems: [] }]);
			await rotateSecret(n8n, campaignId, webhook.id);
			expect(await n8n.deliver(webhook.id)).toEqual([200]);
			expect(await n8n.deliver(webhook.id, { tamper: 'body' })).toEqual([401]);

			const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
			const onAgent = n8n.trigger('', { source: 'agent', agent: byId(agentId), events });
			const calls = await n8n.createWorkflow('Calls', [onAgent]);
			await n8n.editor.publish(calls);
			const start = n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
			const call = n8n.node('Call', NODE, 1, {
				...{ resource: 'call', operation: 'placeAndWait', agent: byId(agentId), phoneNumber: '+12025550111' },
				...{ waitBy: 'event', options: { missingVariables: 'ignore', testCall: 'always' } },
			});
			const waiting = await n8n.createWorkflow('Wait', [start, call], ['Start', 'Call']);
			const execution = await n8n.editor.run(waiting, 'Start');
			expect(await n8n.ended(execution)).toBe('success');
			const { outputs } = await outputsOf(n8n.editor, execution, 'Call');
			expect(outputs[0]).toMatchObject([{ result: 'placed', outcome: expect.stringMatching(/./) }]);

			(await n8n.editor.connect()).close();
			await n8n.editor.listen(id, 'Events');
			expect(await n8n.webhooks(campaignId)).toHaveLength(2);
			const tried = (await n8n.webhooks(campaignId)).find(({ id: other }) => other !== webhook.id);
			expect(await n8n.deliver(String(tried?.id))).toEqual([200]);
			await n8n.webhooksWhen(campaignId, ({ length }) => length === 1);

			await n8n.unpublish(id);
			await n8n.webhooksWhen(campaignId, ({ length }) => length === 0);
			await n8n.unpublish(calls);
		}, 180_000);
	},
);

test('150 published triggers get their events after a start of n8n that looks at each, with 100 requests a minute', async () => {
	// As in versions before 2.41, n8n asks each trigger at its start.
	const env = { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' };
	const n8n = await Instance.start({ env, options: ['--rate-limit', '100'] });
	const agents = Object.values(
		(await n8n.service.get<{ agents: Record<string, string> }>('/_sandbox/seed')).data.agents,
	);
	const all: string[] = [];
	for (let index = 0; index < 150; index++) {
		const agent = byId(String(agents[index % agents.length]));
		const trigger = n8n.trigger('', { source: 'agent', agent, events: ['event_phone_call_ended'] });
		const id = await n8n.createWorkflow(`Trigger ${index}`, [trigger]);
		await n8n.editor.publish(id);
		all.push(id);
	}
	const stored = async () => (await n8n.service.get<Array<{ id: string }>>('/_sandbox/webhooks')).data;
	const before = await stored();
	expect(before).toHaveLength(150);
	await n8n.restartN8n();
	// The last of them waited for the next minute.
	await until(async () => (await logged(n8n, 'Activated workflow')) >= 150 || undefined, {
		seconds: 180,
		otherwise: () => new Error('n8n did not activate all workflows'),
	});
	expect((await stored()).map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
	const statuses = await inParallel(
		before,
		async ({ id }) => await n8n.deliver(id, { event: 'event_phone_call_ended' }),
	);
	expect(statuses).toEqual(statuses.map(() => [200]));
	await n8n.stop();
}, 900_000);

/** How often a line of n8n's log has a text. */
async function logged(n8n: Instance, text: string): Promise<number> {
	return readFileSync(join(n8n.folder, 'n8n.log'), 'utf8').split(text).length - 1;
}
