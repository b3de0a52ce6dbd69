import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { readCampaign } from '../../../../nodes/VoiceAgentCalling/waiting/campaignEnd.ts';

const read = async (body: IDataObject) => {
	const requests: ServiceRequest[] = [];
	const send = async (request: ServiceRequest) => (requests.push(request), body);
	return { campaign: await readCampaign(send, 'a'), requests };
};

test.each([
	['active', 'timedOut'],
	['Completed', 'completed'],
	['cancelled', 'cancelled'],
])('A campaign whose status is %s is %s, with what the service says of it', async (status, outcome) => {
	const { campaign, requests } = await read({ data: { id: 'x', name: 'N', status, stats: { total: 1 }, calls: [] } });
	expect(campaign).toEqual({ id: 'a', name: 'N', status, stats: { total: 1 }, outcome });
	expect(requests).toEqual([{ method: 'GET', path: ['campaigns', 'a'], codes: { 404: 'CAMPAIGN_NOT_FOUND' } }]);
});

test.each([{}, { data: {} }, { data: { status: 7 } }])('An answer without a status is an error: %j', async (body) => {
	await expect(read(body)).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
});
