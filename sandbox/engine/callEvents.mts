import type { Campaign, CampaignCall, World } from '../world.mts';
import { emitCampaignCall, type CallEvent } from './events.mts';
import { outcomeOf, type Outcome } from './simulator.mts';

/** Tells of a campaign's call that begins or is answered, in the kinds that agent webhooks have. */
export function announceProgress(world: World, campaign: Campaign, call: CampaignCall): void {
	if (call.status === 'initiated') emitCampaignCall(world, campaign, call, 'event_phone_call_started');
	if (call.status === 'answered') {
		emitCampaignCall(world, campaign, call, 'event_phone_call_connected');
		if (outcomeOf(call.to) !== 'voicemail') emitCampaignCall(world, campaign, call, 'event_conversation_started');
	}
}

const ENDINGS: Record<Outcome, CallEvent[]> = {
	completed: ['event_conversation_ended', 'event_phone_call_ended'],
	voicemail: ['event_voicemail_detected', 'event_phone_call_ended'],
	busy: ['event_phone_call_did_not_connect'],
	'no-answer': ['event_phone_call_did_not_connect'],
	failed: ['event_phone_call_error'],
};

/** Tells of a campaign's call that is over. One that was hung up before its answer had no conversation. */
export function announceEnd(world: World, campaign: Campaign, call: CampaignCall, outcome: Outcome): void {
	for (const event of ENDINGS[outcome])
		if (event !== 'event_conversation_ended' || call.duration > 0) emitCampaignCall(world, campaign, call, event);
}
