import { DAY_MS } from '../time/wallTime.mts';
import { uuidOf } from '../world/ids.mts';
import type { PhoneNumber } from '../world/phoneNumber.mts';
import type { World } from '../world/world.mts';

const NUMBERS: Array<[number: string, country: string, national: string, status: PhoneNumber['current_status']]> = [
	['+12025550123', 'US', '(202) 555-0123', 'active'],
	['+12025550145', 'US', '(202) 555-0145', 'active'],
	['+442079460018', 'GB', '020 7946 0018', 'active'],
	['+4930901820', 'DE', '030 901820', 'inactive'],
];

/** @returns the id of the number from which the seeded outbound agents call */
export function seedNumbers(world: World): string {
	for (const [number, country_code, formatted_number, current_status] of NUMBERS) {
		const id = uuidOf(`phone number ${number}`);
		const international_number = `${number} (${country_code})`;
		const created = world.clock.now() - 90 * DAY_MS;
		world.phoneNumbers.set(id, {
			id,
			number,
			country_code,
			formatted_number,
			international_number,
			current_status,
			created,
		});
	}
	return uuidOf(`phone number ${NUMBERS[0]![0]}`);
}
