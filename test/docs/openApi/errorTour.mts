import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { SandboxOptions } from '../../../sandbox/options.mts';
import type { Seed } from '../../../sandbox/seed/index.mts';
import { root } from '../../../scripts/lib/places.mts';
import { type Answer, type Given, play } from './steps.mts';

/** How a request of the tour is broken. */
export interface Broken extends Given {
	/** Null for none. */
	token?: string | null;
	/** Text that is sent unchanged instead of a body. */
	text?: string;
	contentType?: string;
}

/** A fresh sandbox for errors. */
export interface ErrorGuide {
	seed: Seed;
	/** Sends a request that is refused or, as a preparation, accepted. @returns the body */
	send(route: string, given?: Broken): Promise<Answer>;
	/** Answers the next request with an internal error. */
	failNext(): Promise<void>;
}

/**
 * Provokes every error of every route: the responses are the examples of the OpenAPI document.
 * @param samples the names of routes that together have all errors which routes share
 */
export async function errorTour(
	start: (options?: Partial<SandboxOptions>) => Promise<ErrorGuide>,
	routes: readonly string[],
	samples: readonly string[],
): Promise<void> {
	const limited = await start({ rateLimit: 0 });
	const guide = await start();
	for (const route of samples) {
		await commonErrors(guide, route);
		await limited.send(route, unknownIds(route));
	}
	const tooLarge = `"${'x'.repeat(10 * 1024 * 1024)}"`;
	await guide.send('POST /agents', { text: tooLarge });
	const calling = 'POST /agents/:agent_id/call';
	await guide.send(calling, { ...unknownIds(calling), text: tooLarge });
	await guide.send('GET /voice-demos/:file', unknownIds('GET /voice-demos/:file'));
	const text = readFileSync(join(root, 'test', 'docs', 'openApi', 'errors.http'), 'utf8');
	for (const section of text.split(/^### /m).slice(1)) {
		const [, options, steps] = /^[^{\n]*(\{.*\})?\n([^]*)$/.exec(section)!;
		const { seed, send } = await start(options && JSON.parse(options));
		await play(steps, { known: { seed }, send });
	}
	const without = await start({ customSipTrunks: false });
	for (const route of routes.filter((name) => name.includes('/sip-trunks'))) {
		await without.send(route, unknownIds(route));
	}
}

/** A request to a route with ids that do not exist. */
function unknownIds(route: string): Broken {
	const names = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
	const params = Object.fromEntries(names.map((name) => [name, '00000000-0000-4000-8000-000000000000']));
	return { params, ...(route.startsWith('GET') ? {} : { body: {} }) };
}

/** The errors that routes share: of the token, of the body, of ids that do not exist, of values, and of the service. */
async function commonErrors({ send, failNext, seed }: ErrorGuide, route: string): Promise<void> {
	const asked = unknownIds(route);
	for (const token of [null, 'TOKEN-expired', 'wrong']) {
		await send(route, { ...asked, token });
	}
	await send(route, asked);
	if (route.startsWith('GET')) {
		await send(route, { ...asked, query: { page: 'first', per_page: 0, type: 'none', language: ['a', 'b'] } });
	} else {
		await send(route, { ...asked, token: 'TOKEN-readonly' });
		await send(route, { ...asked, text: '{"name": ' });
		await send(route, { ...asked, text: '{}', contentType: 'json' });
		// The object has to be there: a 404 comes before a 422.
		const params = { ...asked.params, ...seededIds(seed) };
		const deletes = route.startsWith('DELETE');
		await send(route, deletes ? asked : { params, body: { name: 7, to: '12', description: '', webhook_url: 'none' } });
	}
	await failNext();
	await send(route, asked);
}

const seededIds = ({ agents, campaigns, calendar, calendarEvent, sipTrunk }: Seed) => ({
	agent_id: agents.draft,
	campaign_id: campaigns.draft,
	calendar_id: calendar,
	event_id: calendarEvent,
	trunk_id: sipTrunk,
});
