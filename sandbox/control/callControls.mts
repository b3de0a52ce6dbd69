import { z } from 'zod';

import { findUsable, useAction } from '../engine/calls/actions.mts';
import { isInProgress } from '../engine/calls/simulator.mts';
import { flatError, invalidFields, notFound } from '../http/httpErrors.mts';
import { anyObject } from '../http/schemas.mts';
import type { Call } from '../world/call.mts';
import type { World } from '../world/world.mts';
import { act, actSchema } from './acts.mts';
import { type ControlRoute, control } from './controlRoute.mts';
import { hasText, listQuery, newestOf } from './pages.mts';
import { actionUseRecord, controlCall, listedCall, timeline } from './timeline.mts';

const callsQuery = z
	.object({
		...listQuery,
		status: z.enum(['initiated', 'ringing', 'answered', 'completed', 'failed', 'busy', 'no-answer']).optional(),
		active: z.enum(['true', 'false']).optional(),
		direction: z.enum(['inbound', 'outbound']).optional(),
		agentId: z.string().optional(),
		campaignId: z.string().optional(),
	})
	.strict();

const modeSchema = z
	.object({
		calls: z.enum(['automatic', 'manual']),
		ringSeconds: z.number().min(1).max(86_400).optional(),
	})
	.strict();

const actionSchema = z.object({ action: z.string().min(1), arguments: anyObject.default({}) }).strict();

/** Controls of calls: read them, act in them, and let the agent use its actions. */
export const callControls: ControlRoute[] = [
	control({
		method: 'GET',
		path: 'calls',
		query: callsQuery,
		handle({ world, query, plain }) {
			const calls = [...world.calls.values()];
			if (plain) {
				return calls.map((call) => controlCall(world, call));
			}
			const page = newestOf(
				calls,
				query,
				(call, text) =>
					(!query.status || call.status === query.status) &&
					(!query.active || isInProgress(call) === (query.active === 'true')) &&
					(!query.direction || call.direction === query.direction) &&
					(!query.agentId || call.agentId === query.agentId) &&
					(!query.campaignId || call.campaignCall?.campaignId === query.campaignId) &&
					(text === '' || hasText(text, ...searched(world, call))),
				(call) => listedCall(world, call),
			);
			return { ...page, dropped: world.droppedCalls };
		},
	}),
	control({
		method: 'GET',
		path: 'calls/:id',
		handle: ({ world, params }) => timeline(world, findCall(world, params.id)),
	}),
	control({
		method: 'POST',
		path: 'calls/:id/act',
		body: actSchema,
		async handle({ world, params, body }) {
			const call = findCall(world, params.id);
			await act(world, call, body);
			return { success: true, call: listedCall(world, call) };
		},
	}),
	control({
		method: 'POST',
		path: 'calls/:id/action',
		body: actionSchema,
		async handle({ world, params, body }) {
			const call = findCall(world, params.id);
			const found = findUsable(world, call, body.action, body.arguments);
			if ('action' in found) {
				const use = useAction(world, call, found.action, found.input);
				world.clock.track(use.then(() => {}));
				return { success: true, use: actionUseRecord(await use) };
			}
			if (found.reason === 'unknown') {
				throw flatError(404, found.message);
			}
			if (found.reason === 'state') {
				throw flatError(409, found.message, { code: 'IMPOSSIBLE_ACTION' });
			}
			throw invalidFields(
				Object.fromEntries(Object.entries(found.fields).map(([name, messages]) => [`arguments.${name}`, messages])),
			);
		},
	}),
	control({ method: 'GET', path: 'mode', handle: ({ world }) => world.mode }),
	control({
		method: 'POST',
		path: 'mode',
		body: modeSchema,
		handle({ world, body }) {
			world.mode = { calls: body.calls, ringSeconds: body.ringSeconds ?? world.mode.ringSeconds };
			world.changes.publish({ type: 'mode', ...world.mode });
			return { success: true, ...world.mode };
		},
	}),
];

/** Finds a call by its own id, or the latest attempt of a campaign call by the campaign call's id. @throws 404 */
function findCall(world: World, id: string | undefined): Call {
	const own = world.calls.get(id ?? '');
	if (own) {
		return own;
	}
	const attempt = [...world.calls.values()].findLast((call) => call.campaignCall?.id === id);
	if (!attempt) {
		throw notFound('Call');
	}
	return attempt;
}

function searched(world: World, call: Call): string[] {
	const agent = world.agents.get(call.agentId)?.name ?? '';
	const values = [...Object.values(call.payload), ...Object.values(call.context)].filter((value) => value !== null);
	const shown = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)));
	return [call.id, call.campaignCall?.id ?? '', call.to, call.from, call.sid, call.status, agent, ...shown];
}
