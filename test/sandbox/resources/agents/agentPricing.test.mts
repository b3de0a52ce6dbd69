import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { expectRefusals } from '../../refusals.mts';

describe('the prices of an agent', () => {
	let service: SandboxClient;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		path = `/agents/${service.seed.agents.published}`;
	});
	afterEach(() => service.close());

	const prices = async (suffix = '', agent = path) => (await service.api('GET', `${agent}/pricing${suffix}`)).data;
	const useVoice = async (tier: string) => {
		const { data } = await service.api('GET', `/voice-templates?quality_tier=${tier}`);
		const template = asList(data.data)[0]!.voices[0]!;
		const settings = { voice_id: template.id, conversation_speed: 1, who_speaks_first: 'agent' };
		await service.api('PUT', `${path}/voice`, settings);
		return Number(asText(template.cost));
	};

	it('are shown by component, with the voice at the cost of its template', async () => {
		const price = await useVoice('ultra');
		expect(await prices()).toEqual({
			success: true,
			data: {
				agent_id: service.seed.agents.published,
				currency: 'USD',
				components: {
					voice_synthesis: { unit: 'minute', price, tier: 'ultra' },
					transcription: { unit: 'minute', price: expect.any(Number) },
					language_model: { unit: '1k_tokens', input_price: expect.any(Number), output_price: expect.any(Number) },
				},
				transport: {
					outbound: { country_code: 'US', unit: 'minute', price: expect.any(Number) },
					inbound: { country_code: 'US', unit: 'minute', price: expect.any(Number) },
				},
				estimated_cost_per_minute: expect.any(Number),
				calculated_at: expect.stringMatching(/Z$/),
			},
		});
	});

	it('have a summary, and a better voice adds its difference', async () => {
		const basic = await useVoice('basic');
		const before = Number((await prices('/summary')).data.estimated_cost_per_minute);
		const ultra = await useVoice('ultra');
		const summary = await prices('/summary');
		expect(summary).toEqual({
			success: true,
			data: {
				agent_id: service.seed.agents.published,
				currency: 'USD',
				estimated_cost_per_minute: expect.closeTo(before + ultra - basic, 6),
				voice_quality_tier: 'ultra',
				optimized_costs_enabled: false,
			},
		});
		expect((await prices()).data.estimated_cost_per_minute).toEqual(summary.data.estimated_cost_per_minute);
	});

	it('do not include a missing voice', async () => {
		const { data } = await service.api('GET', '/agents?search=Cyril');
		const agent = `/agents/${asText(data.data[0]!.id)}`;
		expect((await prices('', agent)).data.components).toMatchObject({ voice_synthesis: { price: 0, tier: null } });
		expect((await prices('/summary', agent)).data.voice_quality_tier).toBeNull();
	});

	it('need a known agent and a token', async () => {
		for (const suffix of ['', '/summary']) {
			expect(await prices(suffix, '/agents/nobody')).toEqual({ success: false, message: 'Agent not found.' });
			await expectRefusals(service, 'GET', `${path}/pricing${suffix}`);
		}
	});
});
