import { uuidOf } from '../world/ids.mts';
import type { QualityTier, VoiceTemplate } from '../world/voice.mts';
import type { World } from '../world/world.mts';

const COSTS: Record<QualityTier, string> = { basic: '0.02', pro: '0.05', ultra: '0.12', beta: '0.09' };

const VOICES: Array<
	[name: string, gender: VoiceTemplate['gender'], language: string, tiers: [QualityTier, ...QualityTier[]]]
> = [
	['Aurora', 'female', 'en-US', ['basic', 'pro', 'ultra']],
	['Bennett', 'male', 'en-US', ['basic', 'pro', 'beta']],
	['Clément', 'male', 'fr-FR', ['pro', 'ultra']],
	['Daniela', 'female', 'es-ES', ['basic', 'pro']],
	['Eduardo', 'male', 'pt-BR', ['basic', 'ultra']],
	['Friederike', 'female', 'de-DE', ['basic', 'pro', 'ultra', 'beta']],
	['Ginevra', 'female', 'it-IT', ['pro']],
	['Haruto', 'male', 'ja-JP', ['ultra', 'beta']],
];

/** @returns the id of the seeded agents' voice */
export function seedVoiceTemplates(world: World): string {
	for (const [name, gender, language, tiers] of VOICES) {
		world.voiceGroups.push({
			display_name: name,
			voices: tiers.map((tier) => ({
				id: uuidOf(`voice template ${name} ${tier}`),
				name,
				gender,
				language,
				quality_tier: tier,
				cost: COSTS[tier],
			})),
		});
	}
	return world.voiceGroups[0]!.voices[0]!.id;
}
