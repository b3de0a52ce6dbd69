import { TIMER } from '../../time/clock.mts';
import { END_OF_TIME, iso } from '../../time/time.mts';
import { HOUR_MS } from '../../time/wallTime.mts';
import { type Call, type CallResult, type CampaignCall, WATCH } from '../../world/call.mts';
import type { Campaign } from '../../world/campaign.mts';
import { newId } from '../../world/ids.mts';
import { STOPPED, type World } from '../../world/world.mts';
import { emitCampaign, emitCampaignCall } from '../deliveries/emit.mts';
import { reportOf, transcriptOf } from './conversation.mts';
import { cooldownHours, rest, restsUntil } from './cooldowns.mts';
import { isListed, listIfTriggered } from './doNotCall.mts';
import { nextOpening } from './schedule.mts';
import { callerNumber, follow, pay, placeCall, resultOf } from './simulator.mts';

/** A call to queue. */
interface QueueRequest {
	to: string;
	payload: Record<string, unknown>;
	context: Record<string, unknown>;
	is_testing: boolean;
}

/** Queues a call in an active campaign and plans when to place it; it is never placed synchronously. */
export function enqueueCall(world: World, campaign: Campaign, request: QueueRequest): CampaignCall {
	const now = world.clock.now();
	const call: CampaignCall = {
		id: newId(world),
		campaignId: campaign.id,
		to: request.to,
		status: 'queued',
		retries: 0,
		duration: 0,
		isTesting: request.is_testing,
		payload: request.payload,
		context: request.context,
		events: [],
		// A delay may reach beyond the last date that can be represented.
		earliest: Math.min(now + campaign.initial_call_delay * 1000, END_OF_TIME - 1000),
		scheduledAt: null,
		phase: 'waiting',
		created: now,
	};
	campaign.calls.push(call);
	campaign.open.set(call.to, [...(campaign.open.get(call.to) ?? []), call]);
	plan(world, campaign, call);
	emitCampaignCall(world, campaign, call, 'campaign_call.queued');
	return call;
}

/** Continues a phone call after its world was loaded. The use of an action that was in progress has failed. */
export function resumeCall(world: World, call: Call): void {
	const campaign = world.campaigns.get(call.campaignCall?.campaignId ?? '');
	if (call.campaignCall && campaign) {
		call[WATCH] = watcher(world, campaign, call.campaignCall);
	}
	for (const use of call.actionUses.filter(({ status }) => status === 'pending')) {
		Object.assign(use, { status: 'failed', error: STOPPED, durationMs: 0 });
	}
	follow(world, call);
}

/** Resumes a campaign after its world was loaded. */
export function resumeCampaign(world: World, campaign: Campaign): void {
	planAll(world, campaign);
	if (campaign.line.length > 0) {
		world.clock.at(campaign.nextTurn, () => dialInTurn(world, campaign));
	}
}

/** Replans all waiting calls of a campaign after its status or schedule has changed. */
export function planAll(world: World, campaign: Campaign): void {
	for (const call of campaign.calls) {
		plan(world, campaign, call);
	}
}

/** Cancels all waiting calls of a campaign that is completed or cancelled; calls in progress continue. */
export function cancelWaiting(campaign: Campaign): void {
	for (const call of campaign.calls) {
		if (call.phase !== 'waiting') {
			continue;
		}
		call[TIMER]?.cancel();
		call.status = 'cancelled';
		close(campaign, call);
	}
}

function close(campaign: Campaign, call: CampaignCall): void {
	call.phase = 'over';
	call.scheduledAt = null;
	const left = (campaign.open.get(call.to) ?? []).filter((other) => other !== call);
	if (left.length > 0) {
		campaign.open.set(call.to, left);
	} else {
		campaign.open.delete(call.to);
	}
}

/** Formats `scheduled_at` as the service does. */
export function scheduledAt(call: CampaignCall): string | null {
	return call.scheduledAt === null ? null : iso(call.scheduledAt);
}

function plan(world: World, campaign: Campaign, call: CampaignCall): void {
	if (call.phase !== 'waiting') {
		return;
	}
	call[TIMER]?.cancel();
	if (campaign.status !== 'active') {
		return;
	}
	const now = world.clock.now();
	const time = nextOpening(campaign, Math.max(now, call.earliest, restsUntil(campaign, call.to)));
	call.scheduledAt = time;
	call.status = time !== null && time <= now ? 'queued' : 'scheduled';
	if (time !== null) {
		call[TIMER] = world.clock.at(time, () => takeTurn(world, campaign, call));
	}
}

/** Dials a call that is due. If the campaign limits its calls per hour, the call waits for its turn. */
function takeTurn(world: World, campaign: Campaign, call: CampaignCall): void {
	campaign.line.push(call);
	if (campaign.line.length === 1) {
		dialInTurn(world, campaign);
	}
}

/** Dials each call in the line as soon as the hourly limit permits it. */
function dialInTurn(world: World, campaign: Campaign): void {
	for (let [call] = campaign.line; call; [call] = campaign.line) {
		const now = world.clock.now();
		if (now < campaign.nextTurn) {
			world.clock.at(campaign.nextTurn, () => dialInTurn(world, campaign));
			return;
		}
		campaign.line.shift();
		// The call may have been cancelled or replanned since it joined the line.
		const isDue = call.phase === 'waiting' && call.scheduledAt !== null && call.scheduledAt <= now;
		if (isDue && campaign.status === 'active') {
			dial(world, campaign, call);
			// Only a call that was placed uses up a turn.
			if ((call as CampaignCall).phase === 'calling') {
				campaign.nextTurn = now + HOUR_MS / world.options.callsPerHour;
			}
		}
	}
}

function dial(world: World, campaign: Campaign, call: CampaignCall): void {
	const now = world.clock.now();
	// Since this call was planned, another call may have started the number's cooldown, or a time range may have ended.
	if (restsUntil(campaign, call.to) > now || nextOpening(campaign, now) !== now) {
		return plan(world, campaign, call);
	}
	if (isListed(world, campaign, call.to)) {
		return finish(world, campaign, call, 'failed', 'do_not_call');
	}
	call.phase = 'calling';
	call.scheduledAt = null;
	call.status = 'initiated';
	const agent = world.agents.get(campaign.agent_id);
	if (agent?.current_status !== 'published' || agent.direction !== 'outbound' || !callerNumber(world, agent)) {
		return attemptEnded(world, campaign, call, 'failed', 'agent_inactive');
	}
	if (!pay(world, call.isTesting)) {
		return attemptEnded(world, campaign, call, 'failed', 'insufficient_credits');
	}
	emitCampaignCall(world, campaign, call, 'campaign_call.started');
	placeCall(world, {
		agent,
		to: call.to,
		isTesting: call.isTesting,
		payload: call.payload,
		context: call.context,
		campaignCall: call,
		watch: watcher(world, campaign, call),
	});
}

function watcher(world: World, campaign: Campaign, call: CampaignCall): (phone: Call) => void {
	return (phone) => progress(world, campaign, call, phone);
}

function progress(world: World, campaign: Campaign, call: CampaignCall, phone: Call): void {
	call.status = phone.status;
	if (phone.status === 'ringing' || phone.status === 'answered') {
		return;
	}
	const outcome = resultOf(phone);
	call.duration = phone.duration;
	attemptEnded(world, campaign, call, outcome, outcome === 'failed' ? 'disconnected' : undefined, phone);
}

function attemptEnded(
	world: World,
	campaign: Campaign,
	call: CampaignCall,
	outcome: CallResult,
	error: string | undefined,
	phone?: Call,
): void {
	rest(world, campaign, call.to, cooldownHours(campaign, outcome));
	listIfTriggered(world, campaign, call.to, outcome, error);
	const reached = outcome === 'completed' || outcome === 'voicemail';
	const again =
		(!reached || campaign.retry_on_no_conversion) &&
		call.retries < campaign.max_retries &&
		(campaign.status === 'active' || campaign.status === 'paused') &&
		!isListed(world, campaign, call.to);
	if (!again) {
		return finish(world, campaign, call, reached ? 'completed' : 'failed', error ?? outcome, phone);
	}
	call.retries += 1;
	call.phase = 'waiting';
	call.status = 'scheduled';
	call.earliest = restsUntil(campaign, call.to);
	call.scheduledAt = call.earliest;
	plan(world, campaign, call);
	emitCampaignCall(world, campaign, call, 'campaign_call.retry_scheduled', error ?? outcome);
}

function finish(
	world: World,
	campaign: Campaign,
	call: CampaignCall,
	status: 'completed' | 'failed',
	reason: string,
	phone?: Call,
): void {
	call.status = status;
	close(campaign, call);
	if (campaign.enable_post_completion_cooldown && reason !== 'do_not_call') {
		rest(world, campaign, call.to, campaign.post_completion_cooldown_hours);
	}
	if (status === 'failed') {
		emitCampaignCall(world, campaign, call, 'campaign_call.failed', reason);
	} else {
		emitCampaignCall(world, campaign, call, 'campaign_call.completed', reason);
		if (call.duration > 0 && phone) {
			const transcript = transcriptOf(phone);
			emitCampaignCall(world, campaign, call, 'event_call_transcript', reason, { transcript });
			emitCampaignCall(world, campaign, call, 'event_call_report', reason, reportOf(phone, resultOf(phone)));
		}
	}
	if (campaign.auto_complete && campaign.status === 'active' && campaign.open.size === 0) {
		campaign.status = 'completed';
		campaign.updated = world.clock.now();
		emitCampaign(world, campaign, 'campaign.completed');
	}
}
