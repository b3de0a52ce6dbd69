import { startReceiver } from '../receiver.mts';
import { byId, type Service } from '../service.mts';
import { onAgent, publishTrigger } from '../triggers.mts';
import type { Runs } from './runs.mts';

function runs(
	service: Service,
	owner: 'agent' | 'campaign',
	{ ownerId, other, event }: { ownerId: string; other: string; event: string },
) {
	const list = `${owner}s/${ownerId}/webhooks`;
	const first = async () => {
		const { body } = await service.api('GET', list);
		return (body.data as { webhooks: Array<{ id: string }> }).webhooks[0]?.id as string;
	};
	const mine = { source: owner, [owner]: byId(ownerId) };
	const one = async () => ({ ...mine, webhook: byId(await first()) });
	/** Sets the address of the first webhook and sends an event to it. */
	const deliver = async (address: string) => {
		const webhookId = await first();
		await service.api('PUT', `${list}/${webhookId}`, { webhook_url: address, max_retries: 0 });
		await service.deliver({ webhookId, event });
	};
	/** Publishes a trigger, whose webhook is then the last one. */
	const publish = async () => {
		if (service.publishTrigger) {
			await service.publishTrigger(owner, {});
		} else {
			const { instance } = await publishTrigger(service, { ...(owner === 'agent' && onAgent(service)) });
			service.n8nUrl = instance.url;
		}
	};
	const last = async () => (await service.webhooks(ownerId, `${owner}s`)).at(-1);
	/** Another owner, and the trigger that was published last. */
	const connection = async () => {
		const url = String((await last())?.webhook_url).replace(/\?.*/, '');
		return { source: owner, [owner]: byId(other), trigger: { __rl: true, mode: 'url', value: url } };
	};
	return {
		create: [{ ...mine, name: 'Hook', webhookUrl: 'https://example.com/hook' }],
		get: async () => [await one()],
		getAll: async () => [await one()],
		update: async () => [{ ...(await one()), updateFields: { deliveryTimeout: 10 } }],
		test: async () => {
			await deliver(`${await startReceiver()}/200`);
			return [await one()];
		},
		getDeliveries: async () => {
			// No server listens at the first address, so its delivery fails.
			await deliver('http://127.0.0.1:1');
			await deliver(`${await startReceiver()}/200`);
			return [await one()];
		},
		redeliver: async () => {
			const { body } = await service.api('GET', `${list}/${await first()}/logs`);
			const failed = (body.data as Array<{ id: string; status: string }>).find(({ status }) => status === 'failed');
			return [{ ...(await one()), delivery: byId(String(failed?.id)) }];
		},
		catchUp: async () => {
			await deliver('http://127.0.0.1:1');
			return [await one()];
		},
		checkRegistration: async () => {
			// No server listens at the first address, so its delivery fails.
			await deliver('http://127.0.0.1:1');
			await publish();
			const expected = { events: [event], additionalEvents: 'campaign.started' };
			const urls = ['http://nowhere.invalid/', 'http://127.0.0.1:1'];
			const options = [...urls.map((webhookUrl) => ({ webhookUrl, ...expected })), {}];
			return options.map((more) => ({ ...mine, options: more }));
		},
		rotateSecret: async () => {
			// The webhook of the trigger, which was registered last.
			const { id = '' } = (await last()) ?? {};
			return [{ ...mine, webhook: byId(id) }];
		},
		connectToTrigger: async () => {
			await publish();
			return [await connection()];
		},
		disconnectFromTrigger: async () => {
			const parameters = await connection();
			const webhookUrl = `${parameters.trigger.value}?${owner}=${other}`;
			const hook = { name: 'Connected', webhook_url: webhookUrl, events: [event] };
			await service.api('POST', `${owner}s/${other}/webhooks`, hook);
			return [parameters];
		},
		delete: async () => [await one()],
	};
}

const ofCampaign: Runs = (service) =>
	runs(service, 'campaign', {
		ownerId: service.seed.campaigns.active,
		other: service.seed.campaigns.paused,
		event: 'campaign.paused',
	});

const ofAgent: Runs = (service) =>
	runs(service, 'agent', {
		ownerId: service.seed.agents.published,
		other: service.seed.agents.draft,
		event: 'event_recording',
	});

/** All operations with the webhooks of a campaign, then all with those of an agent. */
export const webhook = [ofCampaign, ofAgent];
