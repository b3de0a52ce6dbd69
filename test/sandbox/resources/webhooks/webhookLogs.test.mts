import { asList, asText, type Json } from '../../client.mts';
import { webhookOn } from '../../objects.mts';
import { useReceiver, useService } from '../../use.mts';

const DAY = 86_400;

describe('the log of a webhook', () => {
	const service = useService();
	const receiver = useReceiver();
	let campaign: string;
	let webhook: string;
	let logs: string;

	beforeEach(async () => {
		campaign = service.seed.campaigns.active;
		webhook = await hook({ max_retries: 2 });
		logs = `/campaigns/${campaign}/webhooks/${webhook}/logs`;
	});

	const hook = (settings: object) =>
		webhookOn(service, campaign, receiver.url, { events: ['campaign_call.queued'], ...settings });
	/** A call that sends the webhook one event. */
	const happen = async () => {
		await service.api('POST', `/campaigns/${campaign}/call`, { to: '+12025550002', allow_duplicates: true });
		await service.advance(0);
	};
	const log = async (query = '') => asList((await service.api('GET', `${logs}${query}`)).data.data);
	const change = (settings: object) => service.api('PUT', logs.replace(/\/logs$/, ''), settings);
	/** What the answer to a retry says, and how many deliveries that makes. */
	const retry = async (entry: Json | undefined) => {
		const before = receiver.received.length;
		const { status, data } = await service.api('POST', `${logs}/${asText(entry?.id)}/retry`);
		await service.advance(0);
		return [status, data.code ?? data.data.original_log_id, receiver.received.length - before];
	};
	const notRetriable = [422, 'LOG_NOT_RETRIABLE', 0];

	it('is not found below another owner, nor is the webhook', async () => {
		const other = logs.replace(campaign, service.seed.campaigns.draft);
		for (const below of [other, other.replace(/\/logs$/, '')]) {
			const { status, data } = await service.api('GET', below);
			expect([status, data.message]).toEqual([404, 'Webhook not found.']);
		}
	});

	it('lists 30 days, and older entries cannot be redelivered', async () => {
		await change({ max_retries: 0 });
		receiver.answer(500);
		await happen();
		const [entry] = await log();
		await service.advance(30 * DAY - 60);
		expect(await log()).toHaveLength(1);
		expect(await retry(entry)).toEqual([200, entry!.id, 1]);
		await service.advance(120);
		expect(await log()).toMatchObject([{ attempt: 2 }]);
		expect(await retry(entry)).toEqual(notRetriable);
	});

	it('redelivers the same entry once per request while it fails, but no success and to no disabled webhook', async () => {
		await change({ max_retries: 0 });
		receiver.answer(500);
		await happen();
		const [original] = await log();
		await change({ max_retries: 10 });
		await retry(original);
		await change({ enabled: false });
		expect(await retry(original)).toEqual(notRetriable);
		await change({ enabled: true });
		receiver.answer(200);
		await retry(original);
		await service.advance(DAY);
		const entries = await log();
		expect(entries.map(({ attempt, status }) => [attempt, status])).toEqual([
			[3, 'success'],
			[2, 'failed'],
			[1, 'failed'],
		]);
		expect(await retry(entries[0])).toEqual(notRetriable);
		const other = await hook({});
		const { data } = await service.api('POST', `${logs.replace(webhook, other)}/${asText(original?.id)}/retry`);
		expect(data.message).toBe('Webhook log not found.');
	});
});
