import { createHmac } from 'node:crypto';
import { z } from 'zod';

import { flatErrorBody } from '../../http/errorSchemas.mts';
import { flatError, notFound } from '../../http/httpErrors.mts';
import { ok } from '../../http/response.mts';
import { dataOf, shownUrl } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { silence } from '../../http/silence.mts';
import type { VoiceGroup, VoiceTemplate } from '../../world/voice.mts';
import type { World } from '../../world/world.mts';
import { voiceGroupSchema } from './numberAndVoiceSchemas.mts';

const listQuery = z.object({
	language: z.string().optional(),
	quality_tier: z.enum(['basic', 'pro', 'ultra', 'beta']).optional(),
	gender: z.enum(['male', 'female']).optional(),
});

const DEMO_LIFETIME_SECONDS = 15 * 60;

/** The voices that an agent can have, and their demos. */
export const voiceTemplateRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/voice-templates',
		summary: 'List voice templates',
		description: "Grouped by name. An update of an agent's voice settings assigns a template.",
		refusal: 'unauthorized',
		query: listQuery,
		responses: { 200: dataOf(z.array(voiceGroupSchema)) },
		handle({ world, query }) {
			const filter = query();
			const language = filter.language?.toLowerCase();
			const wanted = (voice: VoiceTemplate) =>
				(!language || voice.language.toLowerCase() === language) &&
				(!filter.quality_tier || voice.quality_tier === filter.quality_tier) &&
				(!filter.gender || voice.gender === filter.gender);
			const groups = world.voiceGroups.map((group) => ({ ...group, voices: group.voices.filter(wanted) }));
			return ok(groups.filter(({ voices }) => voices.length > 0));
		},
	}),
	route({
		method: 'GET',
		path: '/api/v1/voice-templates/:voice_template_id/demo',
		summary: "Get the address of a voice template's demo",
		description: 'The address is signed, needs no token, and expires after 15 minutes.',
		refusal: 'unauthorized',
		bareFailure: true,
		responses: { 200: z.object({ mp3_url: shownUrl }) },
		errors: { 500: { when: 'An internal error', body: z.object({ error: z.string() }) } },
		handle({ world, origin, params }) {
			const found = findVoice(world, params.voice_template_id ?? '');
			if (!found) {
				throw notFound('Voice template');
			}
			const { id } = found.voice;
			const expires = String(Math.floor(Date.now() / 1000) + DEMO_LIFETIME_SECONDS);
			const query = new URLSearchParams({ expires, signature: signature(world, id, expires) });
			return { status: 200, body: { mp3_url: `${origin}/voice-demos/${id}.mp3?${query}` } };
		},
	}),
	route({
		method: 'GET',
		path: '/voice-demos/:file',
		summary: 'Listen to a demo, by the address from its voice template',
		description: 'Needs no token. In the sandbox, it is a second of silence.',
		refusal: 'unauthorized',
		open: true,
		query: z.object({ expires: z.string().default(''), signature: z.string().default('') }),
		responses: { 200: 'audio/mpeg' },
		errors: { 403: { when: 'The address is invalid or has expired', body: flatErrorBody } },
		handle({ world, params, query }) {
			const { expires, signature: given } = query();
			const id = /^(.*)\.mp3$/.exec(params.file ?? '')?.[1] ?? '';
			if (given !== signature(world, id, expires) || Number(expires) * 1000 < Date.now()) {
				throw flatError(403, 'The address is invalid or has expired.');
			}
			return { status: 200, type: 'audio/mpeg', body: silence(1) };
		},
	}),
];

/** Signs the URL of a demo. A reset makes it invalid. @param expires real time, in seconds since 1970 */
function signature(world: World, id: string, expires: string): string {
	return createHmac('sha256', world.signingKey).update(`${id}.${expires}`).digest('hex');
}

/** Finds a voice template and its group. */
export function findVoice(world: World, id: string): { group: VoiceGroup; voice: VoiceTemplate } | undefined {
	for (const group of world.voiceGroups) {
		for (const voice of group.voices) {
			if (voice.id === id) {
				return { group, voice };
			}
		}
	}
	return undefined;
}

/** Whether the similarity and stability of a voice can be set. */
export function isHighFidelity({ quality_tier }: VoiceTemplate): boolean {
	return quality_tier === 'ultra' || quality_tier === 'beta';
}
