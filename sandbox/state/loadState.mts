import { resumeCall, resumeCampaign } from '../engine/calls/callQueue.mts';
import { deliverLater } from '../engine/deliveries/copies.mts';
import { resumeAttempt } from '../engine/deliveries/deliverer.mts';
import { resumeSftp } from '../engine/sftp/import.mts';
import type { World } from '../world/world.mts';
import type { State } from './state.mts';

/**
 * Puts a state into an empty world, and goes on where it was. What was under way on the network when it was saved has
 * failed: deliveries are repeated by their rules, actions and SFTP jobs are not.
 * @param world its clock shows the state's time already
 */
export function loadState(world: World, state: State): void {
	const { savedAt: _savedAt, now: _now, ids, requests, attempts, delayed, ...data } = state;
	Object.assign(world, data);
	world.ids.counts = ids;
	for (const request of requests.entries) {
		world.requests.add(request, 1000);
	}
	for (const attempt of attempts.entries) {
		world.attempts.add(attempt, attempt.delivery.body.length + (attempt.responseBody?.length ?? 0) + 500);
	}
	world.requests.dropped = requests.dropped;
	world.attempts.dropped = attempts.dropped;
	for (const call of world.calls.values()) {
		resumeCall(world, call);
	}
	for (const campaign of world.campaigns.values()) {
		resumeCampaign(world, campaign);
		resumeSftp(world, campaign);
	}
	for (const attempt of attempts.entries) {
		resumeAttempt(world, attempt);
	}
	for (const delivery of delayed) {
		deliverLater(world, delivery);
	}
}
