import { adviceOnRefusal, UNKNOWN_FORM, WRONG_HEADER } from '../../../nodes/shared/events/adviceOnRefusal.ts';
import { n8nTexts } from '../../../scripts/lib/compatChecks.mts';
import { messageKey, sendMessageTo } from '../../message.mts';
import { harness, type NodeSpec, type Publication } from '../harness.mts';
import type { Fault, Service } from '../service.mts';
import { hmac, publishTrigger, registered, send, triggerNode } from '../triggers.mts';
import type { Provoker } from './provoke.mts';
import type { Row, Section } from './table.mts';

async function publish(
	service: Service,
	parameters: NodeSpec['parameters'],
	given: { baseUrl?: string; webhookOrigin?: string } = {},
): Promise<Publication> {
	const { webhookOrigin, ...changes } = given;
	const instance = await harness.startInstance({ credentials: service.credentials(changes), webhookOrigin });
	return await instance.deploy({ id: 'workflow', nodes: [triggerNode(service, parameters)] }).publish();
}

export async function publishing(provoker: Provoker): Promise<Section> {
	const abroad = 'https://api.example.com';
	type Work = (service: Service) => Promise<Publication>;
	const failing = async (what: string, work: Work, code?: string): Promise<Row> =>
		provoker.trigger(what, (await provoker.use(work)).error, code === undefined ? {} : { code });
	const broken = (fault: Omit<Fault, 'times'>) => async (service: Service) => {
		await service.fault({ ...fault, times: 20 });
		return await publish(service, {});
	};
	const rows = await Promise.all([
		failing(
			"n8n's address is on this machine, and the service is not",
			async (service) => await publish(service, {}, { baseUrl: abroad, webhookOrigin: 'http://localhost:5678' }),
			'WEBHOOK_URL_NOT_PUBLIC',
		),
		failing(
			"n8n's address is too long",
			async (service) => await publish(service, {}, { webhookOrigin: `http://127.0.0.1:5678/${'n'.repeat(500)}` }),
			'WEBHOOK_URL_TOO_LONG',
		),
		failing(
			'An option has a value that cannot be used',
			async (service) =>
				await publish(service, { options: { extraHeaders: { values: [{ name: 'X One', value: '1' }] } } }),
		),
		failing(
			'The service registers the webhook without returning its ID',
			broken({ match: { method: 'POST' }, kind: 'status', status: 200, body: { success: true } }),
		),
		failing(
			"A proxy drops the query parameter that asks for the next page of the campaign's webhooks",
			broken({
				match: { method: 'GET', path: `/api/v1/campaigns/${provoker.seed.campaigns.active}/webhooks` },
				kind: 'status',
				status: 200,
				body: {
					success: true,
					data: { webhooks: [{ id: 'w-1', webhook_url: 'https://example.com' }] },
					pagination: { current_page: 1, last_page: 2 },
				},
			}),
		),
	]);
	return { title: 'Publishing the trigger', rows };
}

const refused = /^A delivery to "Trigger" (?:was refused|could not be checked): /;

/** Sends a delivery of a webhook that delivers to a relay before n8n. */
async function sendByRelay(service: Service): Promise<{ status: number }> {
	const { deployment, url, secret } = await publishTrigger(service);
	const [{ id, campaign_id: campaign }] = await registered(service, deployment);
	const relay = `https://relay.example.com/hooks/1${new URL(url).search}`;
	await service.api('PUT', `campaigns/${campaign}/webhooks/${id}`, { webhook_url: relay });
	return await send(url, '{}', { 'x-signature': hmac(secret, '{}') });
}

/** Sends a genuine delivery while the service does not list its webhooks. */
async function sendUnchecked(service: Service): Promise<{ status: number }> {
	const { deployment, url, secret } = await publishTrigger(service);
	const [{ campaign_id: campaign }] = await registered(service, deployment);
	harness.skipTime(2 * 3_600_000);
	try {
		await service.answer(`GET campaigns/${campaign}/webhooks`, 503, { message: 'Service unavailable' });
		return await send(url, '{}', { 'x-signature': hmac(secret, '{}') });
	} finally {
		harness.restoreTime();
	}
}

/** Sends a delivery that is signed with a secret that was replaced more than an hour ago. */
async function sendAfterRotation(service: Service): Promise<{ status: number }> {
	const { deployment, url, secret } = await publishTrigger(service);
	try {
		const replacedAt = Date.now();
		harness.skipTime(2 * 3_600_000);
		const [{ id, campaign_id: campaign }] = await registered(service, deployment);
		const webhookUrl = `${deployment.webhookUrl()}?campaign=${campaign}&g=${replacedAt}`;
		await service.api('PUT', `campaigns/${campaign}/webhooks/${id}`, { webhook_url: webhookUrl });
		return await send(url, '{}', { 'x-signature': hmac(secret, '{}') });
	} finally {
		harness.restoreTime();
	}
}

/** Rejected deliveries: n8n's log has the reason. */
export async function deliveries(service: Service): Promise<Section> {
	const { url, secret, deployment } = await publishTrigger(service);
	const body = JSON.stringify({ event: 'campaign_call.completed', id: 'e1' });
	const hourAgo = Math.floor(Date.now() / 1000) - 3600;
	const cases: Array<[what: string, advice: string, deliver: () => Promise<{ status: number }>]> = [
		[
			'No header has anything like a signature',
			'Most likely not from the service. If it is: does a proxy remove headers, or does the webhook in the service have no secret? Rotate Secret gives it one. If you named a Signature Header, check its name.',
			async () => await send(url, body),
		],
		[
			'The signature is of another secret, or of other bytes',
			`Run Webhook → Check Registration, and do what it says. If it finds nothing else: ${adviceOnRefusal['wrong signature']} If it was not the service, it is a forgery.`,
			async () => await send(url, body, { 'x-signature': hmac('another', body) }),
		],
		[
			'The signature is of a secret that Rotate Secret replaced more than an hour ago',
			'Somebody sends a recorded delivery again, or has learned the former secret. If the service itself delivers so late, use Catch Up.',
			async () => await sendAfterRotation(service),
		],
		[
			'The webhook has the address of something before n8n, which passes the delivery on',
			'The trigger knows its webhooks by the address that n8n has: give it the address of what is before it. If the webhook is that of a copy of this n8n, find out why its address leads here.',
			async () => await sendByRelay(service),
		],
		[
			'The service does not say which secrets are in use: it limits requests, or is down',
			'Nothing: the service delivers the event again. If it lasts, the end of the line says why: remove the cause, then use Catch Up.',
			async () => await sendUnchecked(service),
		],
		[
			'The URL of the delivery does not say whose event it is',
			'Somebody made the webhook by hand, or the service drops the end of the URL, and the trigger has more than one campaign or agent. Choose one campaign or agent for each trigger, or delete the webhook.',
			async () =>
				await send(`${deployment.webhookUrl()}?campaign=another`, body, { 'x-signature': hmac(secret, body) }),
		],
		[
			'The signature has a form that the node does not know',
			`${adviceOnRefusal[UNKNOWN_FORM]} If it was not the service, it is a forgery.`,
			async () => await send(url, body, { 'webhook-signature': `v9,${hmac(secret, body, 'base64')}` }),
		],
		[
			'The signature is right, but its timestamp is too old or in the future',
			"The clock of n8n's machine is wrong: set it. Otherwise somebody sends a recorded delivery again.",
			async () => await send(url, body, { 'x-signature': `t=${hourAgo},v1=${hmac(secret, `${hourAgo}.${body}`)}` }),
		],
		[
			'The signature is right, but the body is a text, or a list of something else than events',
			'Somebody gave the webhook in the service a payload template. Publish the workflow again: that removes it.',
			async () => await send(url, '["a list"]', { 'x-signature': hmac(secret, '["a list"]') }),
		],
		[
			"'Verify By' is set to 'Secret Header', and the delivery does not have it",
			`${adviceOnRefusal[WRONG_HEADER]} If it was not the service, it is a forgery.`,
			async () => {
				const byHeader = await publishTrigger(service, { options: { verifyBy: 'header' } });
				return await send(byHeader.url, body, { 'x-signature': hmac(byHeader.secret, body) });
			},
		],
		[
			'A message among nodes is not from one with the same credential, or too old',
			"The node that sent it uses another credential, or the clocks of n8n's machines differ by more than five minutes. Otherwise it is a forgery.",
			async () => await sendMessageTo(url, await messageKey('another'), { command: 'check' }),
		],
	];
	const rows: Row[] = [];
	for (const [what, advice, deliver] of cases) {
		const before = harness.logLines.length;
		const { status } = await deliver();
		const lines = harness.logLines.slice(before).map(({ message }) => message);
		const says = lines.find((line) => refused.test(line)) ?? '';
		expect({ what, says }).toEqual({ what, says: expect.stringMatching(refused) });
		expect(JSON.stringify(lines)).not.toContain(secret);
		rows.push({ what, says, advice, status: String(status) });
	}
	return {
		title: 'Deliveries that the trigger refuses',
		note: 'Lines of n8n\'s log; `"Trigger"` is the node\'s name. No execution starts. The last column has what the sender gets; after 503, it delivers again.',
		rows,
	};
}

/** Responses of n8n itself, before it runs a node. */
export function answersOfN8n(): Section {
	return {
		title: 'Answers of n8n itself',
		note: 'What n8n 2.41.1 answers before it runs a node. The last column has the HTTP status.',
		rows: n8nTexts.map(({ what, says, hint, advice, status }) => ({
			what,
			says: [says, hint].filter(Boolean).join(' '),
			advice,
			status: String(status),
		})),
	};
}
