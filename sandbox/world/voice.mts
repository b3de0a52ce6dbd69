/** The voice of an agent: its settings, and the template that it was made from. */
export interface AgentVoice {
	id: string;
	name: string;
	label: string;
	stability: number;
	similarity_boost: number;
	ambient_background: string | null;
	template: { id: string; name: string };
}

export type QualityTier = 'basic' | 'pro' | 'ultra' | 'beta';

/** A voice in one quality tier. */
export interface VoiceTemplate {
	id: string;
	name: string;
	gender: 'male' | 'female';
	language: string;
	quality_tier: QualityTier;
	/** US dollars per minute. */
	cost: string;
}

/** All quality tiers of one voice. */
export interface VoiceGroup {
	display_name: string;
	voices: VoiceTemplate[];
}
