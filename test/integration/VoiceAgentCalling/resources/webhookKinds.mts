import { byId, type Service } from '../../service.mts';

export const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** The differences between the webhooks of campaigns and of agents. */
export interface Kind {
	owner: 'agent' | 'campaign';
	events: [string, string];
	ownerOf(service: Service): string;
}

export const kinds: [Kind, Kind] = [
	{
		owner: 'campaign',
		events: ['campaign.paused', 'campaign_call.completed'],
		ownerOf: ({ seed }: Service) => seed.campaigns.active,
	},
	{
		owner: 'agent',
		events: ['event_recording', 'event_phone_call_ended'],
		ownerOf: ({ seed }: Service) => seed.agents.published,
	},
];

/** The webhooks of a campaign or an agent in a running service. */
export class Webhooks {
	readonly kind: Kind;
	private readonly service: Service;

	constructor(service: Service, kind: Kind) {
		this.service = service;
		this.kind = kind;
	}

	path(...more: string[]): string {
		return [`${this.kind.owner}s`, this.kind.ownerOf(this.service), 'webhooks', ...more].join('/');
	}

	/** Returns the parameters of an operation on the webhook in the item's `id`. */
	parameters(operation: string, more = {}) {
		const { owner, ownerOf } = this.kind;
		const source = { source: owner, [owner]: byId(ownerOf(this.service)) };
		return { resource: 'webhook', operation, ...source, webhook: byId('={{ $json.id }}'), ...more };
	}

	/** Registers a webhook directly with the API. @returns its ID */
	async make(webhook_url: string, more = {}, ownerId = this.kind.ownerOf(this.service)): Promise<string> {
		const hook = { name: 'Hook', webhook_url, events: this.kind.events, max_retries: 0, ...more };
		const { body } = await this.service.api('POST', `${this.kind.owner}s/${ownerId}/webhooks`, hook);
		return (body.data as { id: string }).id;
	}

	async update(id: string, body: object): Promise<void> {
		await this.service.api('PUT', this.path(id), body);
	}

	/** Returns the delivery log of a webhook, newest first. */
	async log(id: string): Promise<Array<{ id: string; event: string; attempt: number; status: string }>> {
		return (await this.service.api('GET', `${this.path(id, 'logs')}?per_page=100`)).body.data as [];
	}
}
