import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

import { variants } from '../../../sandbox/variants/index.mts';
import { webhookOn } from '../objects.mts';
import { useReceiver, useService } from '../use.mts';

const SECRET = 'a-long-random-text';
const standard = (body: string, headers: Record<string, string>) =>
	new StandardWebhook(SECRET, { format: 'raw' }).verify(body, headers);

/** The variants that other implementations verify, with these implementations. */
const VERIFIERS: Array<[name: string, verify: typeof standard]> = [
	['signature-standard-webhooks', standard],
	['signature-standard-webhooks-two', standard],
	['signature-svix', (body, headers) => new SvixWebhook(Buffer.from(SECRET).toString('base64')).verify(body, headers)],
];
const TAMPERS = ['body', 'signature', 'secret'];
const service = useService();
const receiver = useReceiver();
let webhookId: string;
beforeEach(async () => {
	webhookId = await webhookOn(service, service.seed.campaigns.active, receiver.url, { webhook_secret: SECRET });
});

/** Delivers an event with a non-ASCII letter. */
async function delivered(name: string, tamper?: string) {
	await service.control('variants', { names: [name] });
	await service.control('deliver', { webhookId, event: 'campaign.paused', data: { note: 'é😀' }, tamper });
	const { raw, headers } = receiver.received.at(-1)!;
	return [raw, headers as Record<string, string>] as const;
}

it.each(VERIFIERS)('%s is what a library of others verifies, and refuses when it was altered', async (name, verify) => {
	const [body, headers] = await delivered(name);
	expect(verify(body, headers)).toMatchObject({ event: 'campaign.paused', note: 'é😀' });
	for (const tamper of TAMPERS) {
		const forged = await delivered(name, tamper);
		expect(() => verify(...forged)).toThrow('No matching signature found');
	}
});

it.each(variants.filter(({ section }) => section === 'signatures').map(({ name }) => name))(
	'%s is accepted by the check of the console, and an altered delivery is not',
	async (name) => {
		const verdicts = [];
		for (const tamper of [undefined, ...TAMPERS]) {
			await delivered(name, tamper);
			const { id } = (await service.control('deliveries?limit=1')).items![0]!;
			verdicts.push((await service.control(`deliveries/${String(id)}/verify`)).accepted);
		}
		expect(verdicts).toEqual([true, false, false, false]);
	},
);
