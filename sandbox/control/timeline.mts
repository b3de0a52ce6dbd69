import { initialMessage, isRecorded, reportOf } from '../engine/calls/conversation.mts';
import { isInProgress, resultOf } from '../engine/calls/simulator.mts';
import { callRecord } from '../resources/calls/calls.mts';
import { isoMillis } from '../time/time.mts';
import type { ActionUse, Call, EmittedEvent } from '../world/call.mts';
import type { World } from '../world/world.mts';
import { possibleActs } from './acts.mts';
import { attemptSummary } from './deliveryRecord.mts';

type Fields = Record<string, unknown>;

/** Returns a call for `GET /_sandbox/calls`. */
export function controlCall(world: World, call: Call): Fields {
	return {
		...callRecord(world, call),
		campaign_call_id: call.campaignCall?.id ?? null,
		payload: call.payload,
		context: call.context,
	};
}

/** Returns a call for a list with pages. */
export function listedCall(world: World, call: Call): Fields {
	const { payload: _payload, context: _context, ...record } = controlCall(world, call);
	const { name } = call.context;
	return {
		...record,
		// The name in the metadata, which tells whose call it is.
		name: typeof name === 'string' ? name : null,
		campaign_id: call.campaignCall?.campaignId ?? null,
		course: call.course.kind,
		answered_by: answeredBy(call),
		can: possibleActs(call),
	};
}

/** Returns all data of a call. */
export function timeline(world: World, call: Call): Fields {
	const { campaignCall, course } = call;
	const callId = campaignCall?.id ?? call.id;
	const over = !isInProgress(call);
	const [next] = course.steps;
	return {
		...controlCall(world, call),
		created_at: isoMillis(call.created),
		updated_at: isoMillis(call.updated),
		statuses: call.history.map(({ status, at }) => ({ status, at: isoMillis(at) })),
		course: {
			kind: course.kind,
			next: next && course.due !== null ? { do: next.do, at: isoMillis(course.due) } : null,
		},
		can: possibleActs(call),
		answered_by: answeredBy(call),
		ended_by: call.endedBy,
		campaign_call: campaignCall && {
			id: campaignCall.id,
			campaign_id: campaignCall.campaignId,
			campaign_name: world.campaigns.get(campaignCall.campaignId)?.name ?? null,
			status: campaignCall.status,
			retries: campaignCall.retries,
			scheduled_at: campaignCall.scheduledAt === null ? null : isoMillis(campaignCall.scheduledAt),
			created_at: isoMillis(campaignCall.created),
		},
		attempts: attemptsOf(world, call).map(({ id, status, duration, created }) => ({
			id,
			status,
			duration,
			created_at: isoMillis(created),
		})),
		events: [...call.events, ...(campaignCall?.events ?? [])].sort((one, other) => one.at - other.at).map(eventOf),
		deliveries: world.attempts.entries.filter(({ delivery }) => delivery.callId === callId).map(attemptSummary),
		first_message: initialMessage(world, call),
		transcript: call.transcript.map(({ role, content, at }) => ({ role, content, at: isoMillis(at) })),
		report: over ? reportOf(call, resultOf(call)) : null,
		recording_url: over && isRecorded(world, call) ? `${world.origin}/recordings/${callId}.mp3` : null,
		actions: call.actionUses.map(actionUseRecord),
	};
}

/** Returns all attempts of a campaign call, oldest first. A call through an agent is its only attempt. */
function attemptsOf(world: World, call: Call): Call[] {
	const { campaignCall } = call;
	return campaignCall ? [...world.calls.values()].filter((other) => other.campaignCall === campaignCall) : [call];
}

/** Returns one use of an action, with its request and response. */
export function actionUseRecord({ actionId, arguments: given, durationMs, at, ...use }: ActionUse): Fields {
	return { ...use, action_id: actionId, arguments: given, duration_ms: durationMs, at: isoMillis(at) };
}

function eventOf({ event, at }: EmittedEvent): Fields {
	return { event, at: isoMillis(at) };
}

function answeredBy({ answered, machine }: Call): 'person' | 'machine' | null {
	if (answered === undefined) {
		return null;
	}
	return machine ? 'machine' : 'person';
}
