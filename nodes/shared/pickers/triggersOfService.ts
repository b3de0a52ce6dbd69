import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { readPage, webhooksIn } from '../client/pagination';
import { connect, send } from '../client/transport';
import { isGone, toResult } from '../errors/serviceError';
import { inBatches } from '../lib/collections';
import { withoutQuery } from '../lib/text';
import { ownerTypes, webhooksPath } from '../owner';
import { isTriggerUrl } from '../triggerSecrets/triggerUrl';

/** The maximum number of campaigns or agents whose webhooks are read. */
const MOST_OWNERS = 40;

/** The number of simultaneous requests. */
const OWNERS_AT_ONCE = 5;

/**
 * Lists triggers: the webhooks of unfinished campaigns, or of agents, whose URLs are those of triggers.
 *
 * @returns each trigger once, with the production URL as its value; triggers on this n8n come first
 * @throws ServiceError
 */
export async function triggersOfService(caller: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchItems[]> {
	const [resource, chosen] = ['resource', 'source'].map((name) => caller.getCurrentNodeParameter(name));
	// Campaign → Create lacks the parameter `source`.
	const ownerType = resource === 'webhook' && chosen === 'agent' ? 'agent' : 'campaign';
	const connection = await connect(caller);
	const list = async (path: string[], items: (body: IDataObject) => unknown, query: IDataObject = {}) =>
		readPage(await send(caller, connection, { method: 'GET', path, query }), items, 1).items;
	const statuses = ownerType === 'campaign' ? ['active', 'paused', 'draft'] : [undefined];
	const owners = await inBatches(statuses, OWNERS_AT_ONCE, async (status) =>
		list([ownerTypes[ownerType].collection], ({ data }) => data, { status, per_page: MOST_OWNERS }),
	);
	const webhooks = await inBatches(owners.flat().slice(0, MOST_OWNERS), OWNERS_AT_ONCE, async ({ id }) => {
		const { value = [], error } = await toResult(list(webhooksPath({ ownerType, ownerId: String(id) }), webhooksIn));
		if (error !== undefined && !isGone(error)) {
			throw error;
		}
		return value;
	});
	const triggers = new Map<string, INodeListSearchItems>();
	for (const { name, webhook_url: url } of webhooks.flat()) {
		const value = withoutQuery(String(url));
		if (isTriggerUrl(value) && !triggers.has(value)) {
			triggers.set(value, { name: String(name ?? value), value, description: value });
		}
	}
	const searchText = filter.trim().toLowerCase();
	const base = caller.getInstanceBaseUrl();
	const here = URL.canParse(base) ? new URL(base).origin : undefined;
	const isHere = ({ value }: INodeListSearchItems) => new URL(String(value)).origin === here;
	const found = [...triggers.values()].filter(({ name, value }) =>
		`${name} ${String(value)}`.toLowerCase().includes(searchText),
	);
	return [...found.filter(isHere), ...found.filter((item) => !isHere(item))];
}
