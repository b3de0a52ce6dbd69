import type { Service } from '../service.mts';

/** Requests for the routes of the sandbox that no operation uses; docs/openapi.json describes them too. */
export async function sendOtherRequests(service: Service): Promise<void> {
	await service.reset();
	const { agents, campaigns, voiceTemplate } = service.seed;
	for (const owner of [`agents/${agents.published}`, `campaigns/${campaigns.active}`]) {
		const events = [owner.startsWith('agents') ? 'event_recording' : 'campaign.paused'];
		const webhook = { name: 'Hook', webhook_url: 'https://example.com/hook', events };
		const { body } = await service.api('POST', `${owner}/webhooks`, webhook);
		await service.api('PATCH', `${owner}/webhooks/${(body.data as { id: string }).id}/toggle`);
	}
	await service.api('GET', 'action-integrations');
	const { body } = await service.api('GET', `voice-templates/${voiceTemplate}/demo`);
	await fetch(String(body.mp3_url));
	await fetch(new URL(`/recordings/${voiceTemplate}.mp3`, String(body.mp3_url)));
}
