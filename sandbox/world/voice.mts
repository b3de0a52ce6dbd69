/** What the service shows of an agent's voice, apart from its template. */
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

/** A voice in one quality. */
export interface VoiceTemplate {
	id: string;
	name: string;
	gender: 'male' | 'female';
	language: string;
	quality_tier: QualityTier;
	/** US dollars a minute. */
	cost: string;
}

/** The tiers of one voice. */
export interface VoiceGroup {
	display_name: string;
	voices: VoiceTemplate[];
}
