import { checkTrunk } from '../engine/trunkState.mts';
import { addDid } from '../resources/sipTrunks/sipTrunkDids.mts';
import { newTrunk } from '../resources/sipTrunks/sipTrunks.mts';
import { uuidOf } from '../world/ids.mts';
import type { World } from '../world/world.mts';

const DIDS = ['+13125550142', '+13125550143'];

/**
 * Adds two trunks: an active trunk with numbers, and a trunk with an unreachable host.
 * @returns the id of the first trunk
 */
export function seedSipTrunks(world: World): string {
	const trunk = newTrunk(world, {
		id: uuidOf('sip trunk 0'),
		name: 'Main carrier',
		provider_name: 'example-carrier',
		domain: 'sip.example.com',
		username: 'main',
		password: uuidOf('sip password 0'),
	});
	checkTrunk(world, trunk);
	trunk.is_verified = true;
	trunk.is_active = true;
	for (const number of DIDS) {
		addDid(world, trunk, uuidOf(`phone number ${number}`), number, 'US');
	}

	const other = newTrunk(world, {
		id: uuidOf('sip trunk 1'),
		name: 'Old office line',
		provider_name: 'example-office',
		domain: 'pbx.invalid',
		transport: 'udp',
		username: 'office',
		password: uuidOf('sip password 1'),
	});
	for (const seeded of [trunk, other]) {
		world.sipTrunks.set(seeded.id, seeded);
	}
	return trunk.id;
}
