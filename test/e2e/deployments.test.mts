import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { userFolders } from '../../scripts/lib/places.mts';
import { freePort } from '../../scripts/lib/process.mts';
import { certificate } from '../integration/certificates.mts';
import { inParallel } from './eventStream.mts';
import { comes } from './eventually.mts';
import { byId, Instance } from './instance.mts';
import { startNginx } from './proxies.mts';
import { rotateSecret, runOnWebhooks } from './webhookOperation.mts';

const renamed = {
	N8N_ENDPOINT_WEBHOOK: 'hooks',
	N8N_ENDPOINT_WEBHOOK_TEST: 'hooks-test',
	N8N_ENDPOINT_WEBHOOK_WAIT: 'resume/waiting',
};

/** How n8n is set up, the folder of its public address, that of its webhooks, and its settings. */
const deployments: Array<[string, string, string, string, NodeJS.ProcessEnv]> = [
	['below a folder of its host, with renamed addresses', '/tools/n8n', 'hooks', 'WEBHOOK_URL', renamed],
	['at the root of its host, with N8N_WEBHOOK_URL', '', 'webhook', 'N8N_WEBHOOK_URL', {}],
];

test.each(deployments)(
	'everything works behind nginx with a company certificate: %s',
	async (_what, folder, endpoint, urlSetting, more) => {
		const authority = certificate('Authority', { isAuthority: true });
		const port = await freePort(36_000 + (process.pid % 600) * 20);
		const address = `https://localhost:${port}${folder}`;
		const file = join(mkdtempSync(join(userFolders, 'e2e-authority-')), 'authority.pem');
		writeFileSync(file, authority.cert);
		const n8n = await Instance.start({
			env: { WEBHOOK_URL: '', [urlSetting]: `${address}/`, ...more, N8N_PROXY_HOPS: '1', NODE_EXTRA_CA_CERTS: file },
			// The sandbox delivers to nginx.
			sandboxEnv: { NODE_EXTRA_CA_CERTS: file },
			options: ['--rate-limit', '100000'],
		});
		const own = `if ($uri !~ ^${folder}/) { return 404; } rewrite ^${folder}/(.*)$ /$1 break;`;
		const does = `${own} proxy_pass ${n8n.n8n.url}; proxy_set_header Host $http_host;`;
		await startNginx(port, certificate('localhost', { issuer: authority }), does);
		const { agentId, campaignId } = n8n.sandbox;
		const node = n8n.trigger(campaignId);
		const id = await n8n.published('Events', [node]);
		const webhook = await n8n.soleWebhook();
		const path = `/${endpoint}/${node.webhookId}/webhook?campaign=${campaignId}&g=`;
		expect(webhook.webhook_url).toContain(address + path);
		await n8n.delivered(webhook.id);
		const right = { ok: true, answers: true, problems: [] };
		expect(await runOnWebhooks(n8n, 'checkRegistration', campaignId)).toMatchObject([right]);
		await rotateSecret(n8n, campaignId, webhook.id);
		expect(await n8n.deliver(webhook.id)).toEqual([200]);
		expect(await n8n.deliver(webhook.id, { tamper: 'body' })).toEqual([401]);

		const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
		const calls = await n8n.published('Calls', [n8n.trigger('', { source: 'agent', agent: byId(agentId), events })]);
		const options = { missingVariables: 'ignore', testCall: 'always' };
		const call = n8n.placing(agentId, { operation: 'placeAndWait', waitBy: 'event', options });
		const execution = await n8n.runOnce([call]);
		expect(execution.status).toBe('success');
		const placed = { result: 'placed', outcome: expect.stringMatching(/./) };
		expect(await n8n.outputOf(execution.id, 'Call')).toMatchObject([placed]);

		(await n8n.editor.connect()).close();
		await n8n.editor.listen(id, 'Events');
		const webhooks = await n8n.webhooks(campaignId);
		expect(webhooks).toHaveLength(2);
		expect(await n8n.deliver(String(webhooks.find((one) => one.id !== webhook.id)?.id))).toEqual([200]);
		await n8n.soleWebhook();

		await n8n.editor.unpublish(id);
		await n8n.webhooksWhen(campaignId, ({ length }) => length === 0);
		await n8n.editor.unpublish(calls);
	},
	360_000,
);

test('150 published triggers get their events after a start of n8n that looks at each, with 100 requests a minute', async () => {
	// As in versions before 2.41, n8n asks each trigger at its start.
	const env = { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false' };
	const n8n = await Instance.start({ env, options: ['--rate-limit', '100'] });
	const agents = Object.values<string>((await n8n.service.get('/_sandbox/seed')).data.agents);
	for (let index = 0; index < 150; index++) {
		const agent = byId(String(agents[index % agents.length]));
		await n8n.published('Trigger', [n8n.trigger('', { source: 'agent', agent, events: ['event_phone_call_ended'] })]);
	}
	const stored = async () =>
		(await n8n.service.get<Array<{ id: string }>>('/_sandbox/webhooks')).data.map(({ id }) => id).sort();
	const before = await stored();
	expect(before).toHaveLength(150);
	await n8n.restartN8n();
	// The last of them waited for the next minute.
	const log = join(n8n.folder, 'n8n.log');
	const areActive = async () => readFileSync(log, 'utf8').split('Activated workflow').length > 150;
	await comes(areActive, 'all workflows', 180);
	expect(await stored()).toEqual(before);
	const statuses = await inParallel(before, async (id) => await n8n.deliver(id, { event: 'event_phone_call_ended' }));
	expect(statuses).toEqual(statuses.map(() => [200]));
}, 900_000);
