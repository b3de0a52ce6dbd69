import { ok } from '../../http/response.mts';
import { dataOf } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Agent } from '../../world/agent.mts';
import type { QualityTier } from '../../world/voice.mts';
import type { World } from '../../world/world.mts';
import { findVoice } from '../numbersAndVoices/voiceTemplates.mts';
import { pricingSchema, pricingSummarySchema } from './agentSchemas.mts';
import { findAgent } from './agents.mts';

const PATH = '/api/v1/agents/:agent_id/pricing';

/** Made-up prices in US dollars; the price of the voice is in its template. */
const TRANSCRIPTION = 0.01;
const LANGUAGE_MODEL = { unit: '1k_tokens', input_price: 0.0025, output_price: 0.01 };
const TRANSPORT = { outbound: 0.014, inbound: 0.0085 };
/** Tokens that the language model reads and writes per minute of talk, in thousands. */
const TOKENS_PER_MINUTE = { input: 1, output: 0.2 };

/** The prices of an agent, in full and as a summary. */
export const agentPricingRoutes: Route[] = [
	route({
		method: 'GET',
		path: PATH,
		summary: "Get an agent's prices",
		description: 'The price of each part of a minute, in US dollars. The prices of the sandbox are made up.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(pricingSchema) },
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			const { price, tier } = voicePrice(world, agent);
			const country_code = world.phoneNumbers.get(agent.phoneNumberIds[0] ?? '')?.country_code ?? 'US';
			const transport = (perMinute: number) => ({ country_code, unit: 'minute', price: perMinute });
			return ok({
				agent_id: agent.id,
				currency: 'USD',
				components: {
					voice_synthesis: { unit: 'minute', price, tier },
					transcription: { unit: 'minute', price: TRANSCRIPTION },
					language_model: LANGUAGE_MODEL,
				},
				transport: { outbound: transport(TRANSPORT.outbound), inbound: transport(TRANSPORT.inbound) },
				estimated_cost_per_minute: estimate(agent, price),
				calculated_at: iso(world.clock.now()),
			});
		},
	}),
	route({
		method: 'GET',
		path: `${PATH}/summary`,
		summary: "Get a summary of an agent's prices",
		description: 'The estimated price of a minute, in US dollars. The price of the sandbox is made up.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(pricingSummarySchema) },
		handle({ world, params }) {
			const agent = findAgent(world, params.agent_id);
			const { price, tier } = voicePrice(world, agent);
			return ok({
				agent_id: agent.id,
				currency: 'USD',
				estimated_cost_per_minute: estimate(agent, price),
				voice_quality_tier: tier,
				optimized_costs_enabled: false,
			});
		},
	}),
];

function voicePrice(world: World, agent: Agent): { price: number; tier: QualityTier | null } {
	const found = agent.voice ? findVoice(world, agent.voice.template.id) : undefined;
	return found ? { price: Number(found.voice.cost), tier: found.voice.quality_tier } : { price: 0, tier: null };
}

function estimate(agent: Agent, voice: number): number {
	const { input_price, output_price } = LANGUAGE_MODEL;
	const model = input_price * TOKENS_PER_MINUTE.input + output_price * TOKENS_PER_MINUTE.output;
	return Number((voice + TRANSCRIPTION + model + TRANSPORT[agent.direction]).toFixed(4));
}
