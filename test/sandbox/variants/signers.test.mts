import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

import { variants } from '../../../sandbox/variants/index.mts';
import { type SandboxClient, startClient } from '../client.mts';
import { webhookOn } from '../objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhookReceiver.mts';

const SECRET = 'a-long-random-text';

/** The variants that others verify as well, by whom. */
const VERIFIERS: Array<[name: string, verify: (body: string, headers: Record<string, string>) => unknown]> = [
	...['signature-standard-webhooks', 'signature-standard-webhooks-two'].map((name): (typeof VERIFIERS)[number] => [
		name,
		(body, headers) => new StandardWebhook(SECRET, { format: 'raw' }).verify(body, headers),
	]),
	['signature-svix', (body, headers) => new SvixWebhook(Buffer.from(SECRET).toString('base64')).verify(body, headers)],
];

let service: SandboxClient;
let receiver: WebhookReceiver;
let webhookId: string;
beforeAll(async () => {
	service = await startClient();
	receiver = await startWebhookReceiver();
	webhookId = await webhookOn(service, service.seed.campaigns.active, receiver.url, { webhook_secret: SECRET });
});
afterAll(async () => {
	receiver.close();
	await service.close();
});

/** Delivers an event, with a letter outside of ASCII. */
async function delivered(names: string[], tamper?: string) {
	await service.control('variants', { names });
	await service.control('deliver', { webhookId, event: 'campaign.paused', data: { note: 'é😀' }, tamper });
	const { raw, headers } = receiver.received.at(-1)!;
	return [raw, headers as Record<string, string>] as const;
}

it.each(VERIFIERS)('%s is what a library of others verifies, and refuses when it was altered', async (name, verify) => {
	const [body, headers] = await delivered([name]);
	expect(verify(body, headers)).toMatchObject({ event: 'campaign.paused', note: 'é😀' });
	for (const tamper of ['body', 'signature', 'secret']) {
		const forged = await delivered([name], tamper);
		expect(() => verify(...forged)).toThrow('No matching signature found');
	}
});

it.each(variants.filter(({ section }) => section === 'signatures').map(({ name }) => name))(
	'%s is accepted by the check of the console, and an altered delivery is not',
	async (name) => {
		const verdict = async (tamper?: string) => {
			await delivered([name], tamper);
			const { id } = (await service.control('deliveries?limit=1')).items![0]!;
			return (await service.control(`deliveries/${String(id)}/verify`)).accepted;
		};
		expect(await verdict()).toBe(true);
		for (const tamper of ['body', 'signature', 'secret']) {
			expect(await verdict(tamper)).toBe(false);
		}
	},
);
