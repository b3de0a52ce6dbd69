import type { PhoneNumber } from '../world/phoneNumber.mts';
import type { SipTrunk, TrunkHealth } from '../world/sipTrunk.mts';
import type { World } from '../world/world.mts';
import { isUnderWay } from './calls/simulator.mts';

/** How long what a check found is kept, in milliseconds of the sandbox's time. */
const KEPT_MS = 30_000;

/** Asks the trunk's hosts: those that end in `.invalid` do not answer. Notes what it found. */
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

/** What the last check found, or a new one where that was long ago or the trunk has changed since. */
export function healthOf(world: World, trunk: SipTrunk): TrunkHealth {
	const kept = trunk.health && world.clock.now() < trunk.healthKeptUntil;
	return kept ? trunk.health! : checkTrunk(world, trunk);
}

/** Takes a trunk's verification away, and with it the trunk out of use: it is verified again before it is activated. */
export function unverify(trunk: SipTrunk): void {
	trunk.is_verified = false;
	trunk.is_active = false;
}

/** A trunk's numbers; they are active while the trunk is. */
export function numbersOf(world: World, trunk: SipTrunk): PhoneNumber[] {
	return trunk.didIds.map((id) => world.phoneNumbers.get(id)).filter((number) => number !== undefined);
}

/** Brings the status of a trunk's numbers up to date with the trunk's. */
export function settleNumbers(world: World, trunk: SipTrunk): void {
	for (const number of numbersOf(world, trunk)) {
		number.current_status = trunk.is_active ? 'active' : 'inactive';
	}
}

/** Whether a call from one of the numbers is under way. */
export function callsUnderWay(world: World, numbers: PhoneNumber[]): boolean {
	const own = new Set(numbers.map(({ number }) => number));
	return [...world.calls.values()].some((call) => own.has(call.from) && isUnderWay(call));
}
