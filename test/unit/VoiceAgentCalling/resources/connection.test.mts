import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../../nodes/shared/client/api.ts';
import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { seal } from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import { connectOwner } from '../../../../nodes/VoiceAgentCalling/resources/webhook/connection.ts';
import { doubleOfN8n } from '../../n8n.mts';

const url = 'https://n8n.example.com/webhook/e27f3081-835e-40f4-85d1-8e90d64e4c2a/webhook';
const owner = { ownerType: 'campaign', ownerId: 'c-1' } as const;
const otherRun = { id: 'other', webhook_url: `${url}?campaign=c-1&g=9764100000000` };

/** A service with the webhooks of a campaign. @param onDelete called when a run has deleted one */
async function serviceWith(webhooks: IDataObject[], onDelete = () => {}) {
	const keys = await loadKeys(doubleOfN8n({}).caller);
	const settings = seal(keys.resumeTokens, { custom_headers: [] });
	const trigger = {
		url,
		ownerType: 'campaign',
		chosen: [],
		verifyBy: 'signature',
		events: [],
		registered: [],
		settings,
	};
	const sent = new Set<string | undefined>();
	const api: Partial<Api> = {
		keys: async () => keys,
		isOwnAddress: async () => true,
		message: async () => ({ value: { status: 200, proven: true, body: trigger } }),
		whole: async () => [...webhooks],
		async tryRequest({ method, path, body, identity }) {
			// The node never sends the same registration of an item twice.
			if (method === 'POST' && !sent.has(identity)) {
				sent.add(identity);
				webhooks.push({ ...body, id: `own-${webhooks.length}` });
			} else if (method === 'DELETE') {
				webhooks.splice(
					webhooks.findIndex(({ id }) => id === path.at(-1)),
					1,
				);
				onDelete();
			}
			return { value: {} };
		},
	};
	return api as Api;
}

test('Of two runs that connect the same campaign at the same time, each may delete the webhook that the other keeps: one is left', async () => {
	const webhooks: IDataObject[] = [];
	const api = await serviceWith(webhooks, () => void webhooks.splice(0));
	const { whole } = api;
	// The other run registers its webhook after the first look of this one.
	const registered: IDataObject[][] = [[], [otherRun]];
	api.whole = async (...listing) => {
		webhooks.push(...(registered.shift() ?? []));
		return await whole(...listing);
	};
	expect(await connectOwner(api, url, owner)).toMatchObject({ connected: true, webhookId: 'own-0', isNew: true });
	expect(webhooks).toMatchObject([{ id: 'own-0' }]);
});

test('A service that neither lists nor names what it has registered gets one webhook, and the run fails', async () => {
	const webhooks: IDataObject[] = [];
	const api = await serviceWith(webhooks);
	api.whole = async () => [];
	await expect(connectOwner(api, url, owner)).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
	expect(webhooks).toHaveLength(1);
});

test.each([
	['keeps a webhook that the list does not have yet', url, 1],
	['deletes a webhook that the service returns with another URL', 'https://n8n.example.com/…', 0],
])('A run %s', async (_what, returned, left) => {
	const webhooks: IDataObject[] = [];
	const api = await serviceWith(webhooks);
	const { tryRequest } = api;
	api.whole = async () => [];
	api.tryRequest = async (request) => {
		if (request.method === 'GET') {
			return { value: { data: { id: 'own-0', webhook_url: returned } } };
		}
		await tryRequest(request);
		return { value: request.method === 'POST' ? { data: { id: 'own-0' } } : {} };
	};
	const connected = connectOwner(api, url, owner);
	await (left > 0
		? expect(connected).resolves.toMatchObject({ connected: true, webhookId: 'own-0' })
		: expect(connected).rejects.toMatchObject({ code: 'URL_NOT_KEPT' }));
	expect(webhooks).toHaveLength(left);
});
