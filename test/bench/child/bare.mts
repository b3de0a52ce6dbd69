import { Agent } from 'node:http';
import axios from 'axios';

import { callBody, contact, type Target } from '../job.mts';

/** Queues calls without n8n: with axios, keep-alive connections, and `inFlight` requests at a time. */
export async function sendBare({ url, token, campaignId }: Target, items: number, inFlight: number): Promise<object[]> {
	const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
	const client = axios.create({
		baseURL: `${url}/api/v1`,
		headers: { Authorization: `Bearer ${token}` },
		httpAgent: agent,
		proxy: false,
	});
	let next = 0;
	const queued: object[] = [];
	const work = async () => {
		while (next < items) {
			const index = next++;
			queued[index] = (await client.post(`/campaigns/${campaignId}/call`, callBody(contact(index)))).data.campaign_call;
		}
	};
	await Promise.all(Array.from({ length: inFlight }, work));
	agent.destroy();
	return queued;
}
