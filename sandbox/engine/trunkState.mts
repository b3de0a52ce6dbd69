import type { PhoneNumber } from '../world/phoneNumber.mts';
import type { SipTrunk, TrunkHealth } from '../world/sipTrunk.mts';
import type { World } from '../world/world.mts';
import { isInProgress } from './calls/simulator.mts';

/** How long the result of a check is reused, in milliseconds of sandbox time. */
const KEPT_MS = 30_000;

/** Checks the trunk's hosts and stores the result. Hosts whose names end in `.invalid` are unreachable. */
export function checkTrunk(world: World, trunk: SipTrunk): TrunkHealth {
	const dead = [trunk.outbound_proxy, trunk.domain].find((host) => host && /\.invalid\.?$/i.test(host));
	const found = dead
		? { is_healthy: false, response_time_ms: 5000, error: `The host ${dead} does not answer.` }
		: { is_healthy: true, response_time_ms: 24 };
	const checked = world.clock.now();
	trunk.health = { ...found, checked };
	trunk.healthKeptUntil = checked + KEPT_MS;
	return trunk.health;
}

/** Returns the result of the last check, or of a new check if the last one is too old or the trunk has changed. */
export function healthOf(world: World, trunk: SipTrunk): TrunkHealth {
	const kept = trunk.health && world.clock.now() < trunk.healthKeptUntil;
	return kept ? trunk.health! : checkTrunk(world, trunk);
}

/** Marks a trunk as unverified, which also deactivates it. */
export function unverify(trunk: SipTrunk): void {
	trunk.is_verified = false;
	trunk.is_active = false;
}

export function numbersOf(world: World, trunk: SipTrunk): PhoneNumber[] {
	return trunk.didIds.map((id) => world.phoneNumbers.get(id)).filter((number) => number !== undefined);
}

/** Updates the status of a trunk's numbers. They are active while the trunk is active. */
export function settleNumbers(world: World, trunk: SipTrunk): void {
	for (const number of numbersOf(world, trunk)) {
		number.current_status = trunk.is_active ? 'active' : 'inactive';
	}
}

/** Whether one of the numbers has a call in progress. */
export function haveCallsInProgress(world: World, numbers: PhoneNumber[]): boolean {
	const own = new Set(numbers.map(({ number }) => number));
	return [...world.calls.values()].some((call) => own.has(call.from) && isInProgress(call));
}
