import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Seed } from '../../../sandbox/seed/index.mts';
import { root } from '../../../scripts/lib/places.mts';
import { type Answer, type Given, play } from './steps.mts';

export type { Answer, Given } from './steps.mts';

/** What the tour needs. */
export interface Guide {
	seed: Seed;
	/** Where events are received with 200; below `/broken` with 500. */
	receiver: string;
	/** Sends a request to a route below /api/v1, written as `GET /agents/:agent_id`. @returns the body of the success */
	send(route: string, given?: Given): Promise<Answer>;
	/** Lets time pass in the sandbox. */
	advance(seconds: number): Promise<void>;
}

/** Uses every operation of a fresh sandbox at least once, each with success: the requests are the examples of the OpenAPI document. */
export async function tour({ seed, receiver, send, advance }: Guide): Promise<void> {
	await send('GET /health');
	await send('GET /action-integrations');
	await send('GET /phone-numbers', { query: { type: 'voice', search: seed.phoneNumber } });
	await send('GET /voice-templates', { query: { language: 'en-US', quality_tier: 'pro', gender: 'female' } });
	const params = { voice_template_id: seed.voiceTemplate };
	const { mp3_url } = await send('GET /voice-templates/:voice_template_id/demo', { params });
	const { pathname, searchParams } = new URL(mp3_url);
	const file = pathname.split('/').at(-1) as string;
	await send('GET /voice-demos/:file', { params: { file }, query: Object.fromEntries(searchParams) });
	await send('GET /recordings/:file', { params: { file } });
	const steps = readFileSync(join(root, 'test', 'docs', 'openApi', 'tour.http'), 'utf8');
	await play(steps, { known: { seed, receiver }, send, advance });
}
